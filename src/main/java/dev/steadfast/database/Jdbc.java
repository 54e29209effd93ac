package dev.steadfast.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The one way in which stores reach JDBC. */
public final class Jdbc {
  private Jdbc() {}

  /** What a store does with a prepared statement: bind, run, read. */
  @FunctionalInterface
  public interface Work<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  /**
   * Prepares one statement on the connection of the running transaction and lets {@code work} use
   * it.
   *
   * @throws DatabaseException if the database refuses or is away; unchecked, so that the
   *     transaction around it rolls back
   */
  public static <T> T run(DataSource database, String sql, Work<T> work) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.with(statement);
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  /** A {@code text[]} argument. */
  public static java.sql.Array texts(PreparedStatement statement, Object[] values)
      throws SQLException {
    return statement.getConnection().createArrayOf("text", values);
  }

  /** A {@code bigint[]} argument. */
  public static java.sql.Array numbers(PreparedStatement statement, Object[] values)
      throws SQLException {
    return statement.getConnection().createArrayOf("bigint", values);
  }
}
