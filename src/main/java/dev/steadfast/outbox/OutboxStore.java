package dev.steadfast.outbox;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The table {@code outbox}. */
@ApplicationScoped
class OutboxStore {
  private final Jdbc database;

  OutboxStore(Jdbc database) {
    this.database = database;
  }

  void add(UUID id, String subject, String event) {
    database.run(
        "INSERT INTO outbox (id, subject, event) VALUES (?, ?, ?)",
        statement -> {
          statement.setObject(1, id);
          statement.setString(2, subject);
          statement.setString(3, event);
          return statement.executeUpdate();
        });
  }

  /**
   * Takes due events: of each subject the oldest open one, and that one only. Whoever took it is
   * the only one to try it until {@code lease} is over, and no younger event of the subject can be
   * taken before it is delivered or dead.
   */
  List<Intent> take(int limit, Duration lease) {
    String sql =
        """
        WITH due AS (
          SELECT o.id FROM outbox o
          WHERE o.delivered_at IS NULL AND o.dead_at IS NULL AND o.next_attempt_at <= now()
            AND NOT EXISTS (
              SELECT FROM outbox older
              WHERE older.subject = o.subject AND older.position < o.position
                AND older.delivered_at IS NULL AND older.dead_at IS NULL)
          ORDER BY o.position LIMIT ?
          FOR UPDATE OF o SKIP LOCKED)
        UPDATE outbox o
        SET attempts = o.attempts + 1,
            next_attempt_at = clock_timestamp() + ? * interval '1 millisecond'
        FROM due WHERE o.id = due.id
        RETURNING o.id, o.event, o.attempts
        """;
    return database.run(
        sql,
        statement -> {
          statement.setInt(1, limit);
          statement.setLong(2, lease.toMillis());
          List<Intent> taken = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              UUID id = result.getObject(1, UUID.class);
              taken.add(new Intent(id, result.getString(2), result.getInt(3)));
            }
          }
          return taken;
        });
  }

  /** The receiver has it. True whoever asks, also after the lease. */
  void delivered(Intent intent) {
    String sql =
        """
        UPDATE outbox SET delivered_at = clock_timestamp(), dead_at = NULL, last_failure = NULL
        WHERE id = ? AND delivered_at IS NULL
        """;
    database.run(
        sql,
        statement -> {
          statement.setObject(1, intent.id());
          return statement.executeUpdate();
        });
  }

  /**
   * The try failed, as far as can be known here. Nothing is written if another relay has taken the
   * event meanwhile.
   */
  void failed(Intent intent, String failure, Duration pause, boolean dead) {
    String sql =
        """
        UPDATE outbox
        SET last_failure = ?,
            next_attempt_at = clock_timestamp() + ? * interval '1 millisecond',
            dead_at = CASE WHEN ? THEN clock_timestamp() END
        WHERE id = ? AND attempts = ? AND delivered_at IS NULL
        """;
    database.run(
        sql,
        statement -> {
          statement.setString(1, failure);
          statement.setLong(2, pause.toMillis());
          statement.setBoolean(3, dead);
          statement.setObject(4, intent.id());
          statement.setInt(5, intent.attempts());
          return statement.executeUpdate();
        });
  }

  /**
   * How many events are in which state.
   *
   * @param open to be delivered
   * @param dead given up
   */
  record Counts(long open, long dead) {}

  Counts count() {
    String sql =
        """
        SELECT (SELECT count(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL),
               (SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL)
        """;
    return database.run(
        sql,
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return new Counts(result.getLong(1), result.getLong(2));
          }
        });
  }

  /** Removes events delivered longer ago than {@code retention}, at most {@code limit}. */
  int purge(Duration retention, int limit) {
    String sql =
        """
        WITH old AS (
          SELECT id FROM outbox WHERE delivered_at < now() - ? * interval '1 millisecond'
          ORDER BY delivered_at LIMIT ? FOR UPDATE SKIP LOCKED)
        DELETE FROM outbox o USING old WHERE o.id = old.id
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
