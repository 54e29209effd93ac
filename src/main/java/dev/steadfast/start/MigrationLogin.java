package dev.steadfast.start;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Gives Flyway's own connections the login time-out of the pool's: where it has a user of its own,
 * it makes them without the pool, and a server that accepts and then says nothing would keep a pod
 * from ever starting, and from saying why.
 */
@ApplicationScoped
public class MigrationLogin implements FlywayConfigurationCustomizer {
  private static final String NAME = "loginTimeout";

  private final int seconds;

  MigrationLogin(
      @ConfigProperty(name = "quarkus.datasource.jdbc.additional-jdbc-properties." + NAME)
          int seconds) {
    this.seconds = seconds;
  }

  @Override
  public void customize(FluentConfiguration flyway) {
    String url = flyway.getUrl();
    if (url != null && !url.contains(NAME)) {
      String limited = url + (url.contains("?") ? "&" : "?") + NAME + "=" + seconds;
      flyway.dataSource(limited, flyway.getUser(), flyway.getPassword());
    }
  }
}
