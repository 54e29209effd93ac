package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Shares out the connections of the pool and the worker threads, so that work of one kind which
 * waits in the database leaves the other kinds, and the probes, what they need. Whoever waits for
 * its share holds neither a thread nor a connection.
 */
@ApplicationScoped
public class Shares {
  /** The kinds of work, each with its share of the pool in tenths. The rest is for probes. */
  public enum Kind {
    /** Pushes: they wait for the head of their person. */
    PUSH(5),
    /** Keyed operations: they wait for their key. */
    KEYED(2),
    /** Calls that only read. */
    READ(2);

    private final int tenths;

    Kind(int tenths) {
      this.tenths = tenths;
    }
  }

  private static final int TENTHS = 10;

  private final Map<Kind, Turns<Kind>> turns = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> least = new EnumMap<>(Kind.class);

  Shares(
      Vertx vertx,
      Settings settings,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connections,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    long bytes = maxBodySize.asLongValue();
    for (Kind kind : Kind.values()) {
      int atOnce = Math.max(1, connections * kind.tenths / TENTHS);
      Turns<Kind> line =
          new Turns<>(
              vertx,
              bytes,
              settings.limits().queueLength(),
              settings.limits().queueWait(),
              Busy::pod);
      turns.put(kind, line);
      least.put(kind, Math.max(1, bytes / atOnce));
      Gauge.builder("steadfast.limits.taken", line, all -> (double) all.taken() / bytes)
          .description("How much of its share of the pool a kind of work has, 0 to 1")
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .register(metrics);
      Gauge.builder("steadfast.limits.waiting", line, Turns::waiting)
          .description("Requests that wait for their share of the pool")
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .register(metrics);
    }
  }

  /**
   * Runs blocking work on a worker thread as soon as its kind has a share left.
   *
   * @param bytes the size of the body that is worked on: the bodies in work together are no larger
   *     than the largest body that is allowed, since what is made of a body is a multiple of it
   * @return what the work gives; fails with 503 if there was no share in time
   */
  public <T> Uni<T> run(Kind kind, long bytes, Supplier<T> work) {
    Supplier<T> inContext = Infrastructure.decorate(work);
    return Uni.createFrom()
        .emitter(
            emitter ->
                turns
                    .get(kind)
                    .take(
                        kind,
                        Math.max(bytes, least.get(kind)),
                        turn -> onWorker(turn, inContext, emitter),
                        emitter::fail));
  }

  private static <T> void onWorker(
      Turns<Kind>.Turn turn, Supplier<T> work, UniEmitter<? super T> emitter) {
    try {
      Infrastructure.getDefaultWorkerPool().execute(() -> work(turn, work, emitter));
    } catch (RejectedExecutionException e) {
      turn.over();
      emitter.fail(Busy.pod());
    }
  }

  /** The share is given back before the answer is written: a slow reader must not keep it. */
  private static <T> void work(
      Turns<Kind>.Turn turn, Supplier<T> work, UniEmitter<? super T> emitter) {
    T result;
    try {
      result = work.get();
    } catch (Throwable e) {
      turn.over();
      emitter.fail(e);
      return;
    }
    turn.over();
    emitter.complete(result);
  }
}
