package dev.steadfast.database;

import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/** What a failed database call means for the one who called. */
public enum DatabaseFailure {
  /** Two transactions got in each other's way; the whole transaction may be repeated at once. */
  RETRY,
  /** The database cannot answer now: away, full, busy, or a limit of time was reached. */
  UNAVAILABLE,
  /** A unique key is taken (23505). */
  KEY,
  /** Anything else that SQL can say, in other words a defect. */
  OTHER;

  /**
   * Looks for an {@link SQLException} in the failure, its causes and its suppressed exceptions, and
   * tells what it means; empty if there is none. The suppressed ones matter: a commit that fails
   * under JTA arrives as a {@code RollbackException} without a cause. Of several SQL exceptions the
   * one with the clearest meaning is taken: RETRY before UNAVAILABLE before KEY before OTHER. A
   * {@link NoConnectionException} anywhere is UNAVAILABLE.
   */
  public static Optional<DatabaseFailure> of(Throwable failure) {
    Optional<DatabaseFailure> found = Optional.empty();
    boolean lost = false;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> open = new ArrayDeque<>();
    open.add(failure);
    while (!open.isEmpty()) {
      Throwable next = open.remove();
      if (!seen.add(next)) {
        continue;
      }
      if (next instanceof NoConnectionException) {
        return Optional.of(UNAVAILABLE);
      }
      if (next instanceof SQLException sql) {
        DatabaseFailure meaning = meaning(sql);
        if (found.isEmpty() || meaning.compareTo(found.get()) < 0) {
          found = Optional.of(meaning);
        }
        if (sql.getNextException() != null) {
          open.add(sql.getNextException());
        }
      }
      lost |= isLostTransaction(next);
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
      open.addAll(Arrays.asList(next.getSuppressed()));
    }
    return found.isEmpty() && lost ? Optional.of(UNAVAILABLE) : found;
  }

  /** A transaction that could not be ended, and nobody says why: repeating it is always right. */
  private static boolean isLostTransaction(Throwable failure) {
    return failure instanceof RollbackException
        || failure instanceof SystemException
        || failure instanceof HeuristicMixedException
        || failure instanceof HeuristicRollbackException;
  }

  private static DatabaseFailure meaning(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null || state.isEmpty()) {
      // PostgreSQL gives every error a state, and its driver nearly every one. Without one it is
      // the pool that speaks: of a connection that broke, was closed or lost its transaction.
      return UNAVAILABLE;
    }
    return switch (state) {
      case "40001", "40P01" -> RETRY;
      case "23505" -> KEY;
      // Not to be had: lock, time, an idle transaction's or a transaction's limit, a server that
      // only reads (a standby after a failover).
      case "55P03", "57014", "25P03", "25P04", "25006", "40003" -> UNAVAILABLE;
      // The driver's own words for what it did not expect, such as an interrupted connect.
      case "99999" -> UNAVAILABLE;
      default -> meaningOfClass(state, failure);
    };
  }

  private static DatabaseFailure meaningOfClass(String state, SQLException failure) {
    // 08 connection, 28 login, 3D database, 53 resources, 57P shutdown, 58 the server's system.
    boolean away =
        state.startsWith("08")
            || state.startsWith("28")
            || state.startsWith("3D")
            || state.startsWith("53")
            || state.startsWith("57P")
            || state.startsWith("58");
    return away || isConnectionTrouble(failure) ? UNAVAILABLE : OTHER;
  }

  private static boolean isConnectionTrouble(SQLException failure) {
    return failure instanceof SQLTransientConnectionException
        || failure instanceof SQLRecoverableException;
  }

  /** The SQL failures behind a throwable in one line, for the log. */
  public static String describe(Throwable failure) {
    StringBuilder line = new StringBuilder();
    for (Throwable next = failure; next != null && line.length() < 1_000; next = next.getCause()) {
      line.append(line.isEmpty() ? "" : ", from ");
      line.append(next instanceof SQLException sql ? sql.getSQLState() + " " : "");
      line.append(next.getMessage());
    }
    return line.toString().replaceAll("\\p{Cntrl}+", " ");
  }
}
