package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How a pod says goodbye. From SIGTERM on every answer asks the client to close the connection: a
 * proxy that left it open would send its next request here, whatever readiness says. At the end of
 * the shutdown's delay new requests are refused. Quarkus would go on serving them, and at the end
 * of its timeout cut off whatever is in flight; like this the requests in flight end. Bodies that
 * have not arrived after half of the timeout are given up with 503, and answers that nobody has
 * taken by its end go with their connections, before the pod does.
 */
@ApplicationScoped
public class Leaving {
  /** After the deadline of heads, before everything else. */
  private static final int PRIORITY = 9_000;

  /** Quarkus closes connections once the delay is over; a refusal must have been read by then. */
  private static final Duration BEFORE_THE_END = Duration.ofMillis(500);

  private final Vertx vertx;
  private final AwaitedBodies bodies;
  private final Connections connections;
  private final Duration delay;
  private final Duration timeout;
  private final Duration refusesAfter;
  private volatile boolean leaving;
  private volatile long since;

  Leaving(
      Vertx vertx,
      AwaitedBodies bodies,
      Connections connections,
      @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay,
      @ConfigProperty(name = "quarkus.shutdown.timeout") Optional<Duration> timeout) {
    this.vertx = vertx;
    this.bodies = bodies;
    this.connections = connections;
    this.delay = delay.orElse(Duration.ZERO);
    this.timeout = timeout.orElse(Duration.ZERO);
    refusesAfter = this.delay.minus(BEFORE_THE_END);
  }

  void leave(@Observes ShutdownDelayInitiatedEvent shutdown) {
    since = System.nanoTime();
    leaving = true;
    after(delay.plus(timeout.dividedBy(2)), bodies::giveUpAll);
    after(delay.plus(timeout).minus(BEFORE_THE_END), connections::closeBusy);
  }

  private void after(Duration time, Runnable last) {
    vertx.setTimer(Math.max(1, time.toMillis()), now -> last.run());
  }

  void filters(@Observes Filters filters) {
    filters.register(this::pass, PRIORITY);
  }

  private void pass(RoutingContext request) {
    // When the answer is made: the pod may begin to leave until then.
    request.addHeadersEndHandler(
        headers -> {
          if (leaving) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
          }
        });
    boolean probe = request.request().path().startsWith("/q/");
    if (leaving && !probe && System.nanoTime() - since > refusesAfter.toNanos()) {
      refuse(request);
    } else {
      request.next();
    }
  }

  /** The body is read first: who still sends would find the line cut instead of the answer. */
  private static void refuse(RoutingContext request) {
    if (request.request().isEnded()) {
      BodyLimit.answer(request, HttpProblems.of(503).orElseThrow());
      return;
    }
    request
        .request()
        .endHandler(ended -> BodyLimit.answer(request, HttpProblems.of(503).orElseThrow()));
    request.request().handler(ignored -> {});
    request.request().resume();
  }
}
