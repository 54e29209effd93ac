package dev.steadfast.start;

import dev.steadfast.problem.ProblemException;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * How a pod says goodbye. From SIGTERM on every answer asks the client to close the connection: a
 * proxy that has left it open would send its next request here, whatever readiness says. After the
 * shutdown's delay new requests are refused. Quarkus would go on serving them, and at the end of
 * its timeout cut off whatever is in flight; like this the requests in flight end, and nothing is
 * cut.
 */
@ApplicationScoped
public class Leaving {
  private final Duration delay;
  private volatile boolean leaving;
  private volatile long refusesFromNanos;

  Leaving(@ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay) {
    this.delay = delay.orElse(Duration.ZERO);
  }

  void leave(@Observes ShutdownDelayInitiatedEvent shutdown) {
    refusesFromNanos = System.nanoTime() + delay.toNanos();
    leaving = true;
  }

  /** Runs before anything is looked for, so that also what is not found is refused. */
  @ServerRequestFilter(preMatching = true)
  public void refuse() {
    if (leaving && System.nanoTime() - refusesFromNanos >= 0) {
      throw ProblemException.unavailable();
    }
  }

  /** Runs when the answer is made: the pod may have begun to leave since the request came. */
  @ServerResponseFilter
  public void askToClose(ContainerResponseContext response) {
    if (leaving) {
      response.getHeaders().putSingle("Connection", "close");
    }
  }
}
