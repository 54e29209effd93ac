package dev.steadfast.start;

import dev.steadfast.database.DatabaseFailure;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Whether the schema is at least as new as this service. A pod that does not migrate by itself
 * waits here until another one, or a job, has. A schema that is newer is fine: during a rolling
 * update older pods run beside newer ones.
 */
@Startup
@ApplicationScoped
public class MigrationsCheck implements HealthCheck {
  private static final Logger LOG = Logger.getLogger(MigrationsCheck.class);
  private static final String NAME = "Database migrations";
  private static final String UNREADABLE =
      "The table of migrations cannot be read. If the database is there, this service's role lacks"
          + " its privileges: it gets them from the next start or job that migrates as the tables'"
          + " owner";

  private final Flyway flyway;
  private volatile boolean applied;

  MigrationsCheck(Flyway flyway) {
    this.flyway = flyway;
  }

  @Override
  public HealthCheckResponse call() {
    if (!applied) {
      try {
        int pending = flyway.info().pending().length;
        if (pending > 0) {
          return HealthCheckResponse.named(NAME).down().withData("pending", pending).build();
        }
      } catch (FlywayException e) {
        LOG.warnf("%s: %s", UNREADABLE, DatabaseFailure.describe(e));
        return HealthCheckResponse.named(NAME).down().withData("reason", UNREADABLE).build();
      }
      applied = true;
    }
    return HealthCheckResponse.named(NAME).up().build();
  }
}
