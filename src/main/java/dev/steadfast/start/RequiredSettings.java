package dev.steadfast.start;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * In production nothing is made up: without these settings the service refuses to start. A job that
 * only migrates the schema needs the database alone.
 */
@ApplicationScoped
public class RequiredSettings {
  private static final int BEFORE_ALL_OTHERS = 1;
  private static final String NONE = "NONE";

  private final Config config;

  RequiredSettings(Config config) {
    this.config = config;
  }

  void check(@Observes @Priority(BEFORE_ALL_OTHERS) StartupEvent start) {
    if (LaunchMode.current() != LaunchMode.NORMAL) {
      return;
    }
    List<String> missing = new ArrayList<>();
    if (!isSet("quarkus.datasource.jdbc.url")) {
      missing.add("the database: quarkus.datasource.jdbc.url (QUARKUS_DATASOURCE_JDBC_URL)");
    }
    if (!isSet("mp.jwt.verify.publickey", "mp.jwt.verify.publickey.location")) {
      missing.add(
          "the key that tokens are verified with: mp.jwt.verify.publickey.location"
              + " (MP_JWT_VERIFY_PUBLICKEY_LOCATION), a file or a JWKS address, or"
              + " mp.jwt.verify.publickey (MP_JWT_VERIFY_PUBLICKEY), the key itself");
    }
    if (!isSet("mp.jwt.verify.issuer")) {
      missing.add("who issues the tokens: mp.jwt.verify.issuer (MP_JWT_VERIFY_ISSUER)");
    }
    refuseWithout(missing);
  }

  private static void refuseWithout(List<String> missing) {
    if (!missing.isEmpty()) {
      throw new StartRefusedException("Set " + String.join("; and ", missing) + ".");
    }
  }

  private boolean isSet(String... alternatives) {
    return Stream.of(alternatives)
        .anyMatch(
            name ->
                config
                    .getOptionalValue(name, String.class)
                    .filter(value -> !value.isBlank() && !value.equals(NONE))
                    .isPresent());
  }
}
