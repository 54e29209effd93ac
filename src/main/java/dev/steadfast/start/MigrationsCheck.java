package dev.steadfast.start;

import dev.steadfast.database.DatabaseException;
import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.database.Jdbc;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Whether the schema is at least as new as this service, and the service may write to it. A pod
 * that does not migrate by itself waits here until another one, or a job, has, and gets no requests
 * until then. A schema that is newer is fine: during a rolling update older pods run beside newer
 * ones.
 */
@Startup
@Readiness
@ApplicationScoped
public class MigrationsCheck implements HealthCheck {
  private static final Logger LOG = Logger.getLogger(MigrationsCheck.class);
  private static final String NAME = "Database migrations";
  private static final String UNREADABLE =
      "The table of migrations cannot be read. If the database is there, this service's role lacks"
          + " its privileges: it gets them from the next start or job that migrates as the tables'"
          + " owner";

  private static final String POWERLESS =
      "This service's role may not write to its tables: quarkus.flyway.placeholders.service-role of"
          + " what migrates must name the user of quarkus.datasource.username";

  private final Flyway flyway;
  private final Jdbc database;
  private volatile boolean applied;

  MigrationsCheck(Flyway flyway, Jdbc database) {
    this.flyway = flyway;
    this.database = database;
  }

  @Override
  public HealthCheckResponse call() {
    if (!applied) {
      try {
        int pending = flyway.info().pending().length;
        if (pending > 0) {
          return HealthCheckResponse.named(NAME).down().withData("pending", pending).build();
        }
        if (!QuarkusTransaction.requiringNew().call(this::mayWrite)) {
          LOG.warn(POWERLESS);
          return down(POWERLESS);
        }
      } catch (FlywayException | DatabaseException e) {
        LOG.warnf("%s: %s", UNREADABLE, DatabaseFailure.describe(e));
        return down(UNREADABLE);
      }
      applied = true;
    }
    return HealthCheckResponse.named(NAME).up().build();
  }

  private static HealthCheckResponse down(String reason) {
    return HealthCheckResponse.named(NAME).down().withData("reason", reason).build();
  }

  private boolean mayWrite() {
    return database.run(
        "SELECT has_any_column_privilege('sync_heads', 'INSERT')",
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getBoolean(1);
          }
        });
  }
}
