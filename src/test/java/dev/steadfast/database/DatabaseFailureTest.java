package dev.steadfast.database;

import static dev.steadfast.database.DatabaseFailure.KEY;
import static dev.steadfast.database.DatabaseFailure.RETRY;
import static dev.steadfast.database.DatabaseFailure.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.transaction.RollbackException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SQL says, in the service's words. */
class DatabaseFailureTest {

  @ParameterizedTest
  @CsvSource({
    "40001,RETRY",
    "40P01,RETRY",
    "55P03,UNAVAILABLE",
    "57014,UNAVAILABLE",
    "25P03,UNAVAILABLE",
    "25006,UNAVAILABLE",
    "08000,UNAVAILABLE",
    "08001,UNAVAILABLE",
    "08006,UNAVAILABLE",
    "08007,UNAVAILABLE",
    "53000,UNAVAILABLE",
    "53100,UNAVAILABLE",
    "53200,UNAVAILABLE",
    "53300,UNAVAILABLE",
    "57P01,UNAVAILABLE",
    "57P02,UNAVAILABLE",
    "57P03,UNAVAILABLE",
    "57P05,UNAVAILABLE",
    "58030,UNAVAILABLE",
    "28P01,UNAVAILABLE",
    "3D000,UNAVAILABLE",
    "40003,UNAVAILABLE",
    "23505,KEY",
    "23503,OTHER",
    "42601,OTHER",
    "22P05,OTHER",
    "99999,UNAVAILABLE",
    "25P02,OTHER",
    "XX000,OTHER"
  })
  void aStateHasAMeaning(String state, DatabaseFailure meaning) {
    assertThat(DatabaseFailure.of(new SQLException("", state))).contains(meaning);
  }

  static Stream<SQLException> withoutState() {
    return Stream.of(
        new SQLException("Sorry, acquisition timeout!"),
        new SQLException("Acquisition timeout while waiting for new connection"),
        new SQLException("This pool is closed and does not handle any more connections!"),
        new SQLException("Can't create new connection as the pool is shutting down"),
        new SQLException("Interrupted while acquiring"),
        new SQLException("Unable to enlist connection to existing transaction"),
        new SQLException("Failed to enlist. Check if a connection from another datasource"),
        new SQLException("Exception in association of connection to existing transaction"),
        new SQLException("Failing fast as the transaction has rolled back"),
        new SQLException("The transaction has been rolled back"),
        new SQLTransientConnectionException("broken"),
        new SQLRecoverableException("broken"),
        new SQLException("Connection is closed"),
        new SQLException("PreparedStatement is closed", ""),
        new SQLException("Enlisted connection used without active transaction"),
        new SQLException((String) null),
        new SQLTransientConnectionException("broken", "HY000"),
        new SQLRecoverableException("broken", "HY000"));
  }

  @ParameterizedTest
  @MethodSource
  void withoutState(SQLException failure) {
    assertThat(DatabaseFailure.of(failure)).contains(UNAVAILABLE);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"99999", "XX000", "08001", "40001", "42501"})
  void whoGotNoConnectionMayComeAgain(String state) {
    SQLException refused = new SQLException("Something unusual has occurred", state);
    assertThat(DatabaseFailure.of(new RuntimeException(new NoConnectionException(refused))))
        .contains(UNAVAILABLE);
  }

  @Test
  void causesAreSearched() {
    assertThat(
            DatabaseFailure.of(
                new IllegalStateException(new DatabaseException(new SQLException("", "40001")))))
        .contains(RETRY);
  }

  @Test
  void aFailedCommitKeepsItsReasonAmongTheSuppressed() {
    Exception rollback = new Exception("ARJUNA016053: Could not commit transaction.");
    rollback.addSuppressed(new SQLException("", "40001"));
    assertThat(DatabaseFailure.of(new RuntimeException(rollback))).contains(RETRY);
  }

  @Test
  void aTransactionThatIsLostWithoutAReasonMayBeRepeated() {
    assertThat(DatabaseFailure.of(new RuntimeException(new RollbackException("not active"))))
        .contains(UNAVAILABLE);
    Exception rollback = new RollbackException("could not commit");
    rollback.addSuppressed(new SQLException("", "23505"));
    assertThat(DatabaseFailure.of(rollback)).contains(KEY);
  }

  @Test
  void theNextExceptionOfABatchIsSearched() {
    SQLException batch = new BatchUpdateException("Batch entry 0", "XX000", new int[0]);
    batch.setNextException(new SQLException("", "23505"));
    assertThat(DatabaseFailure.of(batch)).contains(KEY);
  }

  @Test
  void theClearestMeaningOfSeveralIsTaken() {
    SQLException aborted = new SQLException("", "25P02", new SQLException("", "55P03"));
    assertThat(DatabaseFailure.of(aborted)).contains(UNAVAILABLE);
  }

  @Test
  void aCircleOfCausesEnds() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);
    assertThat(DatabaseFailure.of(first)).isEmpty();
  }

  @Test
  void withoutSqlThereIsNoDatabaseFailure() {
    assertThat(DatabaseFailure.of(new IllegalStateException("x"))).isEmpty();
  }
}
