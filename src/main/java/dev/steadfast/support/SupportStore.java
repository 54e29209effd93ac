package dev.steadfast.support;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.time.OffsetDateTime;
import java.util.Optional;

/** The verdict memory, {@code sync_verdicts}, to look at. */
@ApplicationScoped
class SupportStore {
  private final Jdbc database;

  SupportStore(Jdbc database) {
    this.database = database;
  }

  /** What was answered to an operation; empty if it was never judged. */
  Optional<DecidedVerdict> find(String userId, String opId) {
    String sql =
        """
        SELECT op_id, status, reason, code, decided_at
        FROM sync_verdicts WHERE user_id = ? AND op_id = ?
        """;
    return database.run(
        sql,
        statement -> {
          statement.setString(1, userId);
          statement.setString(2, opId);
          try (ResultSet result = statement.executeQuery()) {
            return result.next()
                ? Optional.of(
                    new DecidedVerdict(
                        result.getString(1),
                        result.getString(2),
                        result.getString(3),
                        result.getString(4),
                        result.getObject(5, OffsetDateTime.class).toInstant()))
                : Optional.empty();
          }
        });
  }
}
