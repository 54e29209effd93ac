package dev.steadfast.database;

import static dev.steadfast.database.DatabaseFailure.KEY;
import static dev.steadfast.database.DatabaseFailure.OTHER;
import static dev.steadfast.database.DatabaseFailure.RETRY;
import static dev.steadfast.database.DatabaseFailure.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import jakarta.transaction.RollbackException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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
    "25P02,OTHER",
    "XX000,OTHER"
  })
  void aStateHasAMeaning(String state, DatabaseFailure meaning) {
    assertThat(DatabaseFailure.of(new SQLException("", state))).contains(meaning);
  }

  static Stream<Arguments> withoutState() {
    return Stream.of(
        arguments(new SQLException("Sorry, acquisition timeout!"), UNAVAILABLE),
        arguments(
            new SQLException("Acquisition timeout while waiting for new connection"), UNAVAILABLE),
        arguments(
            new SQLException("This pool is closed and does not handle any more connections!"),
            UNAVAILABLE),
        arguments(
            new SQLException("Can't create new connection as the pool is shutting down"),
            UNAVAILABLE),
        arguments(new SQLException("Interrupted while acquiring"), UNAVAILABLE),
        arguments(
            new SQLException("Unable to enlist connection to existing transaction"), UNAVAILABLE),
        arguments(
            new SQLException(
                "Failed to enlist. Check if a connection from another datasource is already"
                    + " enlisted to the same transaction"),
            UNAVAILABLE),
        arguments(
            new SQLException("Exception in association of connection to existing transaction"),
            UNAVAILABLE),
        arguments(new SQLException("Failing fast as the transaction has rolled back"), UNAVAILABLE),
        arguments(new SQLException("The transaction has been rolled back"), UNAVAILABLE),
        arguments(new SQLTransientConnectionException("broken"), UNAVAILABLE),
        arguments(new SQLRecoverableException("broken"), UNAVAILABLE),
        arguments(new SQLException("Connection acquired without transaction."), OTHER),
        arguments(new SQLException((String) null), OTHER));
  }

  @ParameterizedTest
  @MethodSource
  void withoutState(SQLException failure, DatabaseFailure meaning) {
    assertThat(DatabaseFailure.of(failure)).contains(meaning);
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
