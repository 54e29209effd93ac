package dev.steadfast.start;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequiredSettingsTest {
  private static final String BODY = "quarkus.http.limits.max-body-size";
  private static final String TRANSACTION =
      "quarkus.transaction-manager.default-transaction-timeout";
  private static final String STATEMENT = "steadfast.database.statement-timeout";

  private static RequiredSettings with(String name, String value) {
    return new RequiredSettings(
        new SmallRyeConfigBuilder()
            .withConverter(MemorySize.class, 200, new MemorySizeConverter())
            .withConverter(Duration.class, 200, new DurationConverter())
            .withDefaultValue(BODY, "10M")
            .withDefaultValue(TRANSACTION, "60s")
            .withDefaultValue(STATEMENT, "10s")
            .withDefaultValue(name, value)
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1073741825", "2G"})
  void aBodyLimitThatNoPushCouldMeetIsRefused(String size) {
    assertThatThrownBy(() -> with(BODY, size).refuseBadBodyLimit())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining(BODY + " is ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1073741824", "10M"})
  void anyOtherBodyLimitIsNot(String size) {
    assertThatNoException().isThrownBy(() -> with(BODY, size).refuseBadBodyLimit());
  }

  @Test
  void aTransactionMustBeAllowedToTakeLongerThanItsStatements() {
    assertThatNoException().isThrownBy(() -> with(STATEMENT, "14999ms").refuseShortTransactions());
    assertThatThrownBy(() -> with(STATEMENT, "15s").refuseShortTransactions())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageEndingWith(
            TRANSACTION
                + " is 60 s: it must be more than 4 times "
                + STATEMENT
                + ", which is 15000 ms.");
    assertThatThrownBy(() -> with(TRANSACTION, "40s").refuseShortTransactions())
        .isInstanceOf(StartRefusedException.class);
  }
}
