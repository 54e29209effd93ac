package dev.steadfast.dev;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Migrates an embedded database as its owner, while the service connects with less. In production
 * {@code quarkus.flyway.username} says who migrates; here the port is known at the start only.
 */
@IfBuildProfile(anyOf = {"dev", "test"})
@Singleton
class EmbeddedMigrations implements FlywayConfigurationCustomizer {
  private final String url;

  EmbeddedMigrations(@ConfigProperty(name = "quarkus.datasource.jdbc.url") String url) {
    this.url = url;
  }

  @Override
  public void customize(FluentConfiguration configuration) {
    if (url.startsWith(EmbeddedPostgresDriver.PREFIX)) {
      configuration.dataSource(
          EmbeddedPostgresDriver.realUrl(url, EmbeddedRoles.OWNER), null, null);
    }
  }
}
