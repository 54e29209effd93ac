package dev.steadfast.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.steadfast.Database;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** The failures as they really arrive: through JTA, Agroal and the PostgreSQL driver. */
@QuarkusTest
class DatabaseFailureInQuarkusTest {
  @Inject DataSource database;

  @ConfigProperty(name = "quarkus.datasource.jdbc.max-size")
  int poolSize;

  private void execute(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  @Test
  void aCommitThatFailsUnderJtaIsClassified() throws SQLException {
    try (Database owner = Database.session()) {
      owner.run("CREATE TABLE commit_fails (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)");
      owner.run("GRANT INSERT ON commit_fails TO steadfast_app");
    }
    Throwable failure =
        catchThrowable(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(() -> execute("INSERT INTO commit_fails VALUES (1), (1)")));
    assertThat(failure).isNotNull();
    assertThat(DatabaseFailure.of(failure)).contains(DatabaseFailure.KEY);
  }

  @Test
  void aLimitOfTimeIsUnavailable() {
    Throwable failure =
        catchThrowable(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(
                        () -> {
                          execute("SET LOCAL statement_timeout = 50");
                          execute("SELECT pg_sleep(5)");
                        }));
    assertThat(DatabaseFailure.of(failure)).contains(DatabaseFailure.UNAVAILABLE);
  }

  @Test
  void aBrokenConnectionIsUnavailable() {
    Throwable failure =
        catchThrowable(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(() -> execute("SELECT pg_terminate_backend(pg_backend_pid())")));
    assertThat(DatabaseFailure.of(failure)).contains(DatabaseFailure.UNAVAILABLE);
  }

  @Test
  void anExhaustedPoolIsUnavailable() throws SQLException {
    List<Connection> taken = new ArrayList<>();
    try {
      for (int i = 0; i < poolSize; i++) {
        taken.add(database.getConnection());
      }
      Throwable failure = catchThrowable(() -> execute("SELECT 1"));
      assertThat(DatabaseFailure.of(failure)).contains(DatabaseFailure.UNAVAILABLE);
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
  }
}
