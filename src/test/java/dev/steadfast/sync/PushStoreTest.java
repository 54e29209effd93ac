package dev.steadfast.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.database.Jdbc;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@QuarkusTest
class PushStoreTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Inject PushStore store;
  @Inject Jdbc database;

  @Test
  void theStatementThatLocksTheHeadLimitsTheTimeOfThoseAfterIt() {
    Throwable failure = catchThrowable(() -> sleepAfterTheLock(Duration.ofMillis(50)));
    assertThat(DatabaseFailure.of(failure)).contains(DatabaseFailure.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("statement timeout");
  }

  @Test
  void theLimitEndsWithTheTransaction() {
    QuarkusTransaction.requiringNew().run(() -> store.lock("limited", LONG, Duration.ofMillis(50)));
    QuarkusTransaction.requiringNew()
        .run(() -> database.runLimited("SELECT pg_sleep(0.1)", PreparedStatement::execute));
  }

  private void sleepAfterTheLock(Duration limit) {
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              store.lock("limited", LONG, limit);
              database.runLimited("SELECT pg_sleep(5)", PreparedStatement::execute);
            });
  }
}
