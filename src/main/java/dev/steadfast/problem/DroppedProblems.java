package dev.steadfast.problem;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/** A problem whose reader has hung up is no error; any other failure that nobody hears of is. */
@ApplicationScoped
public class DroppedProblems {
  private static final Logger LOG = Logger.getLogger(DroppedProblems.class);

  void listen(@Observes StartupEvent start) {
    Infrastructure.setDroppedExceptionHandler(DroppedProblems::dropped);
  }

  private static void dropped(Throwable failure) {
    if (!(failure instanceof ProblemException)) {
      LOG.error("a failure that nobody was there to hear of", failure);
    }
  }
}
