package dev.steadfast;

import dev.steadfast.dev.EmbeddedPostgresDriver;
import dev.steadfast.dev.EmbeddedRoles;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A session of the tests' own at the database that the service uses, as its superuser. */
public final class Database implements AutoCloseable {
  private final Connection connection;

  private Database(Connection connection) {
    this.connection = connection;
  }

  /** A session at the tests' embedded server, where every statement commits by itself. */
  public static Database session() throws SQLException {
    return at(url(EmbeddedRoles.SUPERUSER));
  }

  /** The tests' embedded server as one of the {@link EmbeddedRoles} reaches it. */
  public static String url(String role) {
    return EmbeddedPostgresDriver.realUrl(EmbeddedPostgresDriver.TEST_URL, role);
  }

  /** A session at another server. */
  public static Database at(String url) throws SQLException {
    return new Database(DriverManager.getConnection(url));
  }

  /** From here on nothing is committed before {@link #commit()}. */
  public Database begin() throws SQLException {
    connection.setAutoCommit(false);
    return this;
  }

  public void commit() throws SQLException {
    connection.commit();
  }

  /** Runs a statement; how many rows it changed. */
  public int run(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = prepared(sql, arguments)) {
      return statement.execute() ? 0 : statement.getUpdateCount();
    }
  }

  /** The first column of what a query gives, as texts. */
  public List<String> all(String sql, Object... arguments) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement statement = prepared(sql, arguments);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  /** The one value that a query gives. */
  public String one(String sql, Object... arguments) throws SQLException {
    List<String> rows = all(sql, arguments);
    if (rows.size() != 1) {
      throw new AssertionError(rows.size() + " rows instead of one: " + sql);
    }
    return rows.get(0);
  }

  /** How many heads, rows and verdicts a person has, as {@code 1/2/3}. */
  public String footprint(String user) throws SQLException {
    return one(
        """
        SELECT (SELECT count(*) FROM sync_heads WHERE user_id = ?) || '/'
            || (SELECT count(*) FROM sync_rows WHERE user_id = ?) || '/'
            || (SELECT count(*) FROM sync_verdicts WHERE user_id = ?)
        """,
        user,
        user,
        user);
  }

  /** A row as {@code row#seq {fields}}. */
  public List<String> rows(String user) throws SQLException {
    return all(
        "SELECT row_id || '#' || seq || ' ' || fields FROM sync_rows WHERE user_id = ? ORDER BY seq",
        user);
  }

  /** Waits until a session of another is seen waiting for a lock while it runs this statement. */
  public void awaitWaiting(String statement) throws Exception {
    for (int i = 0; i < 400; i++) {
      if (waiting(statement) > 0) {
        return;
      }
      Thread.sleep(25);
    }
    throw new AssertionError("nobody waits for a lock in " + statement);
  }

  /** How many sessions wait for a lock while they run this statement. */
  public int waiting(String statement) throws SQLException {
    String sql =
        "SELECT count(*) FROM pg_stat_activity"
            + " WHERE wait_event_type = 'Lock' AND query LIKE ?";
    return Integer.parseInt(one(sql, "%" + statement + "%"));
  }

  private PreparedStatement prepared(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
