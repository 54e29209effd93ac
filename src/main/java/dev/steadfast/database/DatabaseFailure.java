package dev.steadfast.database;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/** What a failure of the database means for the request. */
public enum DatabaseFailure {
  /**
   * The transaction lost against another one (40001, 40P01): the whole of it may be tried again.
   */
  RETRY,
  /** The database is away, busy or out of time: the client should repeat the request later. */
  UNAVAILABLE,
  /** A key is taken (23505). */
  KEY_TAKEN,
  /** A fault of ours. */
  OTHER;

  /**
   * Tells what a failure means.
   *
   * @return empty if no SQL failure is behind it
   */
  public static Optional<DatabaseFailure> of(Throwable failure) {
    return sqlException(failure).map(DatabaseFailure::of);
  }

  /**
   * The SQL failure behind a throwable. A failed JTA commit arrives as a {@code RollbackException}
   * without a cause: the SQL failure is among the suppressed ones.
   */
  public static Optional<SQLException> sqlException(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> open = new ArrayDeque<>();
    open.add(failure);
    SQLException without = null;
    while (!open.isEmpty()) {
      Throwable next = open.poll();
      if (!seen.add(next)) {
        continue;
      }
      if (next instanceof SQLException sql) {
        if (sql.getSQLState() != null) {
          return Optional.of(sql);
        }
        without = sql;
      }
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
      Collections.addAll(open, next.getSuppressed());
    }
    return Optional.ofNullable(without);
  }

  /** The SQL failure behind a throwable in one line, for the log: its state and its message. */
  public static String describe(Throwable failure) {
    return sqlException(failure)
        .map(sql -> sql.getSQLState() + " " + sql.getMessage())
        .orElse("")
        .replaceAll("\\p{Cntrl}+", " ");
  }

  private static DatabaseFailure of(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      // Agroal's own failures (no connection in time, pool closed) carry no state.
      return UNAVAILABLE;
    }
    return switch (state) {
      case "40001", "40P01" -> RETRY;
      case "23505" -> KEY_TAKEN;
      case "55P03", "57014", "25P03", "25P04", "25006" -> UNAVAILABLE;
      default -> ofClass(state, failure);
    };
  }

  private static DatabaseFailure ofClass(String state, SQLException failure) {
    boolean away =
        state.startsWith("08")
            || state.startsWith("53")
            || state.startsWith("57P")
            || state.startsWith("58")
            || failure instanceof SQLTransientException
            || failure instanceof SQLRecoverableException;
    return away ? UNAVAILABLE : OTHER;
  }
}
