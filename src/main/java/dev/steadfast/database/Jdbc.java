package dev.steadfast.database;

import dev.steadfast.start.Settings;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The one way in which stores reach JDBC. No statement may take longer than is set, and no silence
 * of the network longer than that and a little more: a database that vanishes without a word must
 * not keep threads and connections.
 */
@ApplicationScoped
public class Jdbc {
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final DataSource database;
  private final int seconds;
  private final int silenceMillis;

  Jdbc(DataSource database, Settings settings) {
    Duration longest = settings.database().statementTimeout();
    this.database = database;
    this.seconds = Math.toIntExact(longest.plusMillis(999).toSeconds());
    this.silenceMillis = Math.toIntExact(longest.plus(SILENCE).toMillis());
  }

  /** What a store does with a prepared statement: bind, run, read. */
  @FunctionalInterface
  public interface Work<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  /**
   * Prepares one statement on the connection of the running transaction, or else on one of its own,
   * and lets {@code work} use it.
   *
   * @throws NoConnectionException if the pool has no connection in time, or cannot make one
   * @throws DatabaseException if the database refuses or is away; unchecked, so that the
   *     transaction around it rolls back
   */
  public <T> T run(String sql, Work<T> work) {
    return run(sql, seconds, work);
  }

  /**
   * The same within a transaction that has set {@code statement_timeout} itself: the driver's own
   * limit would wake up its timer thread for every statement.
   */
  public <T> T runLimited(String sql, Work<T> work) {
    return run(sql, 0, work);
  }

  private <T> T run(String sql, int limitSeconds, Work<T> work) {
    try (Connection connection = connection()) {
      connection.setNetworkTimeout(Runnable::run, silenceMillis);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setQueryTimeout(limitSeconds);
        return work.with(statement);
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  private Connection connection() {
    try {
      return database.getConnection();
    } catch (SQLException e) {
      throw new NoConnectionException(e);
    }
  }

  /**
   * A {@code text[]} argument. The driver sends a {@code String[]} as it is; in an {@code Object[]}
   * it would escape every quote of every row, for the server to take them out again.
   */
  public static java.sql.Array texts(PreparedStatement statement, String[] values)
      throws SQLException {
    return statement.getConnection().createArrayOf("text", values);
  }

  /** A {@code bigint[]} argument. */
  public static java.sql.Array numbers(PreparedStatement statement, Long[] values)
      throws SQLException {
    return statement.getConnection().createArrayOf("bigint", values);
  }
}
