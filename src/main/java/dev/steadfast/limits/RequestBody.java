package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.ProblemException;
import dev.steadfast.start.Settings;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Collects the body of a request on the event loop: a client that sends slowly holds memory for
 * what it has sent, and no thread. Bytes are counted as they arrive, chunked or not, and again as
 * they are unpacked, see {@link Packing}.
 */
@ApplicationScoped
public class RequestBody {
  /** How long the rest of a refused body is read away, so that the client gets to its answer. */
  private static final long READ_AWAY_MILLIS = 10_000;

  /** And how much of it at most: a few bytes can be unpacked to many. */
  private static final long READ_AWAY_BYTES = 64L << 20;

  /** A body may take a second more for so many bytes of it. */
  private static final int BYTES_PER_SECOND = 1024;

  private static final int MILLIS = 1_000;
  private static final int JOINED_BYTES = 8_192;

  private final Vertx vertx;
  private final HeldMemory memory;
  private final AwaitedBodies awaited;
  private final long limit;
  private final long timeMillis;

  RequestBody(
      Vertx vertx,
      HeldMemory memory,
      AwaitedBodies awaited,
      Settings settings,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    this.vertx = vertx;
    this.memory = memory;
    this.awaited = awaited;
    this.limit = maxBodySize.asLongValue();
    this.timeMillis = settings.limits().bodyTime().toMillis();
  }

  /**
   * Collects the body, then gives it to what works on it. The body counts as held until then.
   *
   * @param userId whose body it is
   * @return what the work gives; fails with a {@link ProblemException} of 400 if the body breaks
   *     off or does not unpack, of 413 if it is too large, of 408 if it took too long, of 415 if it
   *     is packed in another way than {@link Packing} knows, of 429 if the person holds too much
   *     already, of 503 if the pod holds or awaits too much
   */
  public <T> Uni<T> then(String userId, HttpServerRequest request, Function<byte[], Uni<T>> work) {
    Packing packing = Packing.of(request.headers().getAll(HttpHeaders.CONTENT_ENCODING));
    HeldMemory.Hold hold = memory.hold(userId);
    return Uni.createFrom()
        .<byte[]>emitter(
            emitter ->
                vertx.runOnContext(
                    ready -> new Collecting(request, packing, hold, emitter).start()))
        .onItem()
        .transformToUni(work::apply)
        .onTermination()
        .invoke(hold::release);
  }

  /** One body on its way in. */
  private final class Collecting {
    private final HttpServerRequest request;
    private final Packing packing;
    private final HeldMemory.Hold hold;
    private final UniEmitter<? super byte[]> emitter;
    private final long started = System.nanoTime();
    private final List<Buffer> chunks = new ArrayList<>();
    private final Context context = vertx.getOrCreateContext();
    private final Runnable giveUp = () -> context.runOnContext(now -> giveUp());
    private boolean over;

    /** The last chunk is made of several. */
    private boolean joined;

    private int bytes;
    private long timer;

    private Collecting(
        HttpServerRequest request,
        Packing packing,
        HeldMemory.Hold hold,
        UniEmitter<? super byte[]> emitter) {
      this.request = request;
      this.packing = packing;
      this.hold = hold;
      this.emitter = emitter;
    }

    private void start() {
      if (request.isEnded()) {
        emitter.complete(new byte[0]);
        return;
      }
      timer = vertx.setTimer(timeMillis, this::late);
      awaited.begin(giveUp);
      request.exceptionHandler(
          gone -> {
            end();
            // A reset, or a stream that breaks off: whatever it is called.
            emitter.fail(new ProblemException(HttpProblems.of(400).orElseThrow()));
          });
      request.endHandler(
          ended -> {
            end();
            complete();
          });
      request.handler(this::add);
      request.resume();
    }

    private void add(Buffer chunk) {
      if (bytes + chunk.length() > limit) {
        refuse(new ProblemException(HttpProblems.of(413).orElseThrow()));
        return;
      }
      try {
        hold.add(chunk.length());
      } catch (ProblemException e) {
        refuse(e);
        return;
      }
      keep(chunk);
      bytes += chunk.length();
    }

    private void complete() {
      byte[] body;
      try {
        body = packing.unpack(take(), limit, hold);
      } catch (ProblemException e) {
        emitter.fail(e);
        return;
      }
      emitter.complete(body);
    }

    /** Small chunks are joined: each buffer takes some 100 bytes beside what it holds. */
    private void keep(Buffer chunk) {
      int last = chunks.size() - 1;
      if (last < 0 || chunks.get(last).length() + chunk.length() > JOINED_BYTES) {
        chunks.add(chunk);
        joined = false;
        return;
      }
      if (!joined) {
        chunks.set(last, Buffer.buffer(JOINED_BYTES).appendBuffer(chunks.get(last)));
        joined = true;
      }
      chunks.get(last).appendBuffer(chunk);
    }

    /** Nothing is awaited any more. */
    private void end() {
      over = true;
      vertx.cancelTimer(timer);
      awaited.end(giveUp);
    }

    private void giveUp() {
      if (!over) {
        refuse(Busy.pod());
      }
    }

    private void refuse(ProblemException why) {
      end();
      chunks.clear();
      readAway(vertx, request);
      emitter.fail(why);
    }

    private void late(long expired) {
      long allowed = timeMillis + (long) bytes * MILLIS / BYTES_PER_SECOND;
      long left = allowed - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
      if (left > 0) {
        timer = vertx.setTimer(left, this::late);
        return;
      }
      end();
      chunks.clear();
      request.response().putHeader(HttpHeaders.CONNECTION, "close");
      request.handler(ignored -> {});
      request.endHandler(ended -> {});
      vertx.setTimer(MILLIS, answered -> request.connection().close());
      emitter.fail(new ProblemException(HttpProblems.of(408).orElseThrow()));
    }

    /** It is let go of as soon as it is taken: the request outlives it. */
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

  /** Reads the rest of a body and forgets it; a body that does not end is cut off. */
  static void readAway(Vertx vertx, HttpServerRequest request) {
    long timer = vertx.setTimer(READ_AWAY_MILLIS, expired -> request.connection().close());
    long[] read = {0};
    request.exceptionHandler(gone -> vertx.cancelTimer(timer));
    request.endHandler(ended -> vertx.cancelTimer(timer));
    request.handler(
        chunk -> {
          read[0] += chunk.length();
          if (read[0] > READ_AWAY_BYTES) {
            // Not closed at once: the client would find a broken line before its answer.
            request.pause();
          }
        });
    request.resume();
  }
}
