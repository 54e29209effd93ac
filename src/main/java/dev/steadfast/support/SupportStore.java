package dev.steadfast.support;

import dev.steadfast.database.Jdbc;
import dev.steadfast.start.Settings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.sql.ResultSet;
import java.time.OffsetDateTime;
import java.util.Optional;
import javax.sql.DataSource;

/** The verdict memory, {@code sync_verdicts}, to look at. */
@ApplicationScoped
class SupportStore {
  private final DataSource database;
  private final Settings settings;

  SupportStore(DataSource database, Settings settings) {
    this.database = database;
    this.settings = settings;
  }

  /** What was answered to an operation; empty if it was never judged. */
  @Transactional(TxType.REQUIRES_NEW)
  Optional<DecidedVerdict> find(String userId, String opId) {
    onlyRead();
    String sql =
        """
        SELECT op_id, status, reason, code, decided_at
        FROM sync_verdicts WHERE user_id = ? AND op_id = ?
        """;
    return Jdbc.run(
        database,
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

  /** A statement of its own: the limit of time holds for the statements after it. */
  private void onlyRead() {
    String sql =
        """
        SELECT set_config('transaction_read_only', 'on', true),
               set_config('statement_timeout', ?, true)
        """;
    long millis = settings.database().statementTimeout().toMillis();
    Jdbc.run(
        database,
        sql,
        statement -> {
          statement.setString(1, Long.toString(millis));
          return statement.execute();
        });
  }
}
