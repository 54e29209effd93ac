package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How many pushes of one person are in progress at a pod. A client that lost its answer and repeats
 * fifty times waits for itself, not others for it.
 */
@ApplicationScoped
public class PushesAtOnce {
  private static final int MAY_WAIT = 64;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Turns<String> turns;

  PushesAtOnce(Vertx vertx, Settings settings, MeterRegistry metrics) {
    int atOnce = settings.limits().pushesAtOnce();
    String detail =
        "%d pushes of this person are in progress. Repeat the request later: one push at a time is"
            + " fastest.";
    String worded = detail.formatted(atOnce);
    Counter refused = RequestRate.refused(metrics, "pushes");
    turns =
        new Turns<>(
            vertx,
            atOnce,
            MAY_WAIT,
            settings.limits().pushWait(),
            () -> {
              refused.increment();
              return Busy.person(worded, RETRY_AFTER);
            });
    Gauge.builder("steadfast.limits.pushes", turns, Turns::taken)
        .description("Pushes that are in progress")
        .register(metrics);
  }

  /**
   * Pushes when it is this person's turn. The turn lasts until the answer is written, or nobody is
   * there to read it and the push has ended.
   *
   * @param when runs the push when there is a share for it
   * @return what the push gives; fails with 429 if the turn did not come in time
   */
  public <T> Uni<T> run(
      String userId, RoutingContext request, Supplier<T> push, Function<Supplier<T>, Uni<T>> when) {
    Answered answered = Answered.of(request);
    Supplier<Uni<T>> turned = () -> when.apply(() -> answered.during(push));
    Supplier<Uni<T>> inContext = Infrastructure.decorate(turned);
    return Uni.createFrom()
        .emitter(
            emitter ->
                turns.take(
                    userId,
                    1,
                    turn -> {
                      answered.then(turn::over);
                      inContext.get().subscribe().with(emitter::complete, emitter::fail);
                    },
                    emitter::fail));
  }
}
