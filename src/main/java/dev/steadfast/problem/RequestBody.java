package dev.steadfast.problem;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Collects the body of a request on the event loop: a client that sends slowly holds memory for
 * what it has sent, and no thread. Bytes are counted as they arrive, chunked or not, after
 * decompression.
 */
@ApplicationScoped
public class RequestBody {
  /** How long the rest of a refused body is read away, so that the client gets to its answer. */
  private static final long READ_AWAY_MILLIS = 10_000;

  private final Vertx vertx;
  private final long limit;

  RequestBody(
      Vertx vertx,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    this.vertx = vertx;
    this.limit = maxBodySize.asLongValue();
  }

  /**
   * Collects the body, then gives it to blocking work on a worker thread.
   *
   * @return what the work gives; fails with a {@link ProblemException} of 413 if the body is too
   *     large
   */
  public <T> Uni<T> then(HttpServerRequest request, Function<byte[], T> work) {
    return Uni.createFrom()
        .<byte[]>emitter(emitter -> vertx.runOnContext(ready -> collect(request, emitter)))
        .emitOn(Infrastructure.getDefaultWorkerPool())
        .map(work);
  }

  private void collect(HttpServerRequest request, UniEmitter<? super byte[]> emitter) {
    if (request.isEnded()) {
      emitter.complete(new byte[0]);
      return;
    }
    Chunks chunks = new Chunks();
    request.exceptionHandler(emitter::fail);
    request.endHandler(ended -> emitter.complete(chunks.take()));
    request.handler(
        chunk -> {
          if (chunks.bytes + chunk.length() <= limit) {
            chunks.add(chunk);
          } else {
            chunks.take();
            readAway(vertx, request);
            emitter.fail(new ProblemException(HttpProblems.of(413).orElseThrow()));
          }
        });
    request.resume();
  }

  /** Reads the rest of a body and forgets it; a body that does not end is cut off. */
  static void readAway(Vertx vertx, HttpServerRequest request) {
    long timer = vertx.setTimer(READ_AWAY_MILLIS, expired -> request.connection().close());
    request.exceptionHandler(gone -> vertx.cancelTimer(timer));
    request.endHandler(ended -> vertx.cancelTimer(timer));
    request.handler(ignored -> {});
    request.resume();
  }

  /** What has arrived. It is let go of as soon as it is taken: the request outlives it. */
  private static final class Chunks {
    private final List<Buffer> chunks = new ArrayList<>();
    private int bytes;

    private void add(Buffer chunk) {
      chunks.add(chunk);
      bytes += chunk.length();
    }

    private byte[] take() {
      byte[] body = new byte[bytes];
      int position = 0;
      for (Buffer chunk : chunks) {
        chunk.getBytes(body, position);
        position += chunk.length();
      }
      chunks.clear();
      return body;
    }
  }
}
