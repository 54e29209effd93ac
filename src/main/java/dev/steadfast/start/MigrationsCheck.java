package dev.steadfast.start;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;
import org.flywaydb.core.Flyway;

/**
 * Whether the schema is at least as new as this service. A pod that does not migrate by itself
 * waits here until another one, or a job, has. A schema that is newer is fine: during a rolling
 * update older pods run beside newer ones.
 */
@Startup
@ApplicationScoped
public class MigrationsCheck implements HealthCheck {
  private static final String NAME = "Database migrations";

  private final Flyway flyway;
  private volatile boolean applied;

  MigrationsCheck(Flyway flyway) {
    this.flyway = flyway;
  }

  @Override
  public HealthCheckResponse call() {
    if (!applied) {
      int pending = flyway.info().pending().length;
      if (pending > 0) {
        return HealthCheckResponse.named(NAME).down().withData("pending", pending).build();
      }
      applied = true;
    }
    return HealthCheckResponse.named(NAME).up().build();
  }
}
