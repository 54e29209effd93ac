package dev.steadfast.start;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * In production nothing is made up: without these settings the service refuses to start, and with
 * misspelt ones. A job that only migrates the schema needs the database alone.
 */
@ApplicationScoped
public class RequiredSettings {
  /** Before the scheduler takes the application for running: a refused start runs nothing. */
  private static final int BEFORE_ALL_OTHERS = Integer.MIN_VALUE;

  private static final String NONE = "NONE";
  private static final String BODY_LIMIT = "quarkus.http.limits.max-body-size";
  private static final long MOST_BODY_BYTES = 1L << 30;
  private static final String TRANSACTION_LIMIT =
      "quarkus.transaction-manager.default-transaction-timeout";
  private static final String STATEMENT_LIMIT = "steadfast.database.statement-timeout";
  private static final int STATEMENTS = 4;
  private static final String OWNER = "quarkus.flyway.username";
  private static final String OWNER_PASSWORD = "quarkus.flyway.password";
  private static final String HEADERS = "quarkus.http.limits.max-header-size";
  private static final String FIRST_LINE = "quarkus.http.limits.max-initial-line-length";
  private static final long LEAST_HEAD_BYTES = 100;

  /** A mebibyte; beyond that, each connection could fill the heap. */
  private static final long MOST_HEAD_BYTES = 1L << 20;

  private static final String HTTP2 = "quarkus.http.http2";

  private final Config config;

  RequiredSettings(Config config) {
    this.config = config;
  }

  void check(@Observes @Priority(BEFORE_ALL_OTHERS) StartupEvent start) {
    refuseBadBodyLimit();
    refuseBadHeads(HEADERS, config.getValue(HEADERS, MemorySize.class).asLongValue());
    refuseBadHeads(FIRST_LINE, config.getValue(FIRST_LINE, Integer.class));
    refuseShortTransactions();
    refuseHttp2();
    refuseHalfOwner();
    if (LaunchMode.current() != LaunchMode.NORMAL) {
      return;
    }
    List<String> unknown = EnvironmentNames.unknown(System.getenv().keySet());
    if (!unknown.isEmpty()) {
      throw new StartRefusedException(
          "No setting belongs to the environment variable "
              + String.join(", nor to ", unknown)
              + ": correct or remove it.");
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

  /** Zero would refuse every push; beyond the most, a body does not fit into an array. */
  void refuseBadBodyLimit() {
    long bytes = config.getValue(BODY_LIMIT, MemorySize.class).asLongValue();
    if (bytes < 1 || bytes > MOST_BODY_BYTES) {
      throw new StartRefusedException(
          BODY_LIMIT + " is " + bytes + ": it must be from 1 to " + MOST_BODY_BYTES + " bytes.");
    }
  }

  /** With none, no request is ever answered, and nobody says why. */
  private static void refuseBadHeads(String setting, long bytes) {
    if (bytes < LEAST_HEAD_BYTES || bytes > MOST_HEAD_BYTES) {
      throw new StartRefusedException(
          "%s is %d: it must be from %d to %d bytes."
              .formatted(setting, bytes, LEAST_HEAD_BYTES, MOST_HEAD_BYTES));
    }
  }

  /** One without the other would be ignored, and the service's own role would migrate. */
  private void refuseHalfOwner() {
    if (isSet(OWNER) != isSet(OWNER_PASSWORD)) {
      throw new StartRefusedException(
          "Set both %s and %s, or neither.".formatted(OWNER, OWNER_PASSWORD));
    }
  }

  /** A push has four statements, each with its own limit: those must be reached first. */
  void refuseShortTransactions() {
    Duration whole = config.getValue(TRANSACTION_LIMIT, Duration.class);
    Duration statement = config.getValue(STATEMENT_LIMIT, Duration.class);
    if (whole.compareTo(statement.multipliedBy(STATEMENTS)) <= 0) {
      throw new StartRefusedException(
          "%s is %d s: it must be more than %d times %s, which is %d ms."
              .formatted(
                  TRANSACTION_LIMIT,
                  whole.toSeconds(),
                  STATEMENTS,
                  STATEMENT_LIMIT,
                  statement.toMillis()));
    }
  }

  /** Its streams are bounded by nobody: limits, deadlines and tests are those of HTTP/1.1. */
  void refuseHttp2() {
    if (config.getValue(HTTP2, Boolean.class)) {
      throw new StartRefusedException(
          HTTP2 + " is true: this service speaks HTTP/1.1. Let HTTP/2 end at the ingress.");
    }
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
