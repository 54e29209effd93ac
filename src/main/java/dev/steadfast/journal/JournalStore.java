package dev.steadfast.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.steadfast.database.DatabaseException;
import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The table {@code idempotent_operations}, and the lock that stands before it. */
@ApplicationScoped
class JournalStore {
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final Jdbc database;
  private final ObjectMapper json;

  JournalStore(Jdbc database, ObjectMapper json) {
    this.database = database;
    this.json = json;
  }

  /** Another transaction has this key in its hands and did not finish in time. */
  static class InFlightException extends RuntimeException {
    InFlightException() {
      super("the key is being processed", null, false, false);
    }
  }

  /**
   * Locks a scope until the end of the transaction, and sets the time limits of the transaction.
   * Two scopes with one hash wait for each other and no more: the table's key tells them apart.
   *
   * @return the transaction's isolation, in PostgreSQL's words
   * @throws InFlightException if the lock was not to be had in time
   */
  String lock(Scope scope, Duration lockTimeout, Duration statementTimeout) {
    String sql =
        """
        WITH limits AS MATERIALIZED (
          SELECT set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true),
            set_config('idle_in_transaction_session_timeout', ?, true))
        SELECT current_setting('transaction_isolation'),
          pg_advisory_xact_lock(hashtextextended(jsonb_build_array(?::text, ?::text, ?::text)::text, 0))
        FROM limits
        """;
    try {
      return database.run(
          sql,
          statement -> {
            statement.setString(1, Long.toString(lockTimeout.toMillis()));
            statement.setString(2, Long.toString(statementTimeout.toMillis()));
            statement.setString(3, Long.toString(statementTimeout.toMillis()));
            statement.setString(4, scope.principal());
            statement.setString(5, scope.operation());
            statement.setString(6, scope.key());
            try (ResultSet result = statement.executeQuery()) {
              result.next();
              return result.getString(1);
            }
          });
    } catch (DatabaseException e) {
      if (e.getCause() instanceof SQLException sqlFailure
          && LOCK_NOT_AVAILABLE.equals(sqlFailure.getSQLState())) {
        throw new InFlightException();
      }
      throw e;
    }
  }

  /**
   * A key that was used before.
   *
   * @param sameRequest whether it was used with an equal request
   */
  record Used(boolean sameRequest, Answer answer) {}

  /**
   * Looks a key up. A statement of its own: the snapshot of the one that waited for the lock is
   * older than the lock.
   *
   * @param request JSON; the order of fields and the spelling of numbers do not matter
   */
  Optional<Used> find(Scope scope, String request) {
    String sql =
        """
        SELECT request = ?::jsonb, status, headers::text, body FROM idempotent_operations
        WHERE principal = ? AND operation = ? AND key = ?
        """;
    return database.run(
        sql,
        statement -> {
          statement.setString(1, request);
          statement.setString(2, scope.principal());
          statement.setString(3, scope.operation());
          statement.setString(4, scope.key());
          try (ResultSet result = statement.executeQuery()) {
            return result.next() ? Optional.of(used(result)) : Optional.empty();
          }
        });
  }

  private Used used(ResultSet result) throws SQLException {
    try {
      Map<String, String> headers = json.readValue(result.getString(3), HEADERS);
      return new Used(
          result.getBoolean(1), new Answer(result.getInt(2), headers, result.getString(4)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("stored headers are no object of texts", e);
    }
  }

  /**
   * Stores the answer.
   *
   * @return false if the key is there already, though {@link #find} did not see it
   */
  boolean remember(Scope scope, String request, Answer answer) {
    String sql =
        """
        INSERT INTO idempotent_operations (principal, operation, key, request, status, headers, body)
        VALUES (?, ?, ?, ?::jsonb, ?, ?::jsonb, ?)
        ON CONFLICT (principal, operation, key) DO NOTHING
        """;
    return database.run(
        sql,
        statement -> {
          statement.setString(1, scope.principal());
          statement.setString(2, scope.operation());
          statement.setString(3, scope.key());
          statement.setString(4, request);
          statement.setInt(5, answer.status());
          statement.setString(6, json.valueToTree(answer.headers()).toString());
          statement.setString(7, answer.body());
          return statement.executeUpdate() == 1;
        });
  }

  /**
   * Forgets the oldest keys, at most {@code limit}, none younger than {@code retention}. While
   * another pod does the same, nothing. It locks no row beforehand: {@code FOR UPDATE} needs a
   * right that nobody shall have who serves, to change an answer. A row that somebody holds is
   * waited for half a second; then the whole batch is left for the next time.
   *
   * @return how many
   */
  int purge(Duration retention, int limit) {
    String sql =
        """
        WITH mine AS MATERIALIZED (
          SELECT pg_try_advisory_xact_lock(hashtextextended('idempotent_operations purge', 0)) AS it,
                 set_config('lock_timeout', '500', true)),
        old AS (
          SELECT principal, operation, key FROM idempotent_operations
          WHERE (SELECT it FROM mine) AND created_at < now() - ? * interval '1 millisecond'
          ORDER BY created_at LIMIT ?)
        DELETE FROM idempotent_operations o USING old
        WHERE o.principal = old.principal AND o.operation = old.operation AND o.key = old.key
        """;
    return database.run(
        sql,
        statement -> {
          statement.setLong(1, retention.toMillis());
          statement.setInt(2, limit);
          return statement.executeUpdate();
        });
  }
}
