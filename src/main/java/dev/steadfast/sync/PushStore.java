package dev.steadfast.sync;

import static dev.steadfast.database.Jdbc.numbers;
import static dev.steadfast.database.Jdbc.texts;

import dev.steadfast.core.Judging;
import dev.steadfast.core.Operation;
import dev.steadfast.core.Refusal;
import dev.steadfast.core.Remembered;
import dev.steadfast.core.Row;
import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The four statements of a push, in their order. The fifth round trip is COMMIT; BEGIN travels with
 * the first statement. None depends on the size of the batch.
 */
@ApplicationScoped
class PushStore {
  private final Jdbc database;

  PushStore(Jdbc database) {
    this.database = database;
  }

  /**
   * A locked head.
   *
   * @param seq the number of the person's last changed row
   * @param now the database's clock, in milliseconds since 1970
   */
  record Head(long seq, long now) {}

  /**
   * Creates and locks the head in one statement: with two, an erase in between would leave the push
   * without a lock. The time limits are set in the same statement; the materialised CTE feeds the
   * insert, so they hold before it waits. The third one is for a pod that vanishes without a word:
   * its session would keep the head locked until TCP notices, by default after two hours.
   */
  Head lock(String userId, Duration lockTimeout, Duration statementTimeout) {
    String sql =
        """
        WITH limits AS MATERIALIZED (
          SELECT set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true),
            set_config('idle_in_transaction_session_timeout', ?, true))
        INSERT INTO sync_heads (user_id)
        SELECT ?::text FROM limits
        ON CONFLICT (user_id) DO UPDATE SET seq = sync_heads.seq
        RETURNING seq, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """;
    return database.run(
        sql,
        statement -> {
          statement.setString(1, Long.toString(lockTimeout.toMillis()));
          statement.setString(2, Long.toString(statementTimeout.toMillis()));
          statement.setString(3, Long.toString(statementTimeout.toMillis()));
          statement.setString(4, userId);
          try (ResultSet result = statement.executeQuery()) {
            if (!result.next()) {
              throw new IllegalStateException("the head was neither inserted nor locked");
            }
            return new Head(result.getLong(1), result.getLong(2));
          }
        });
  }

  /**
   * Reads what the batch touches. A statement of its own: the snapshot of the statement that waited
   * for the lock is older than the lock. The row of a repeat that was applied is not looked at, so
   * it is not read either.
   */
  Judging.Before read(String userId, long seq, List<Operation> batch) {
    String sql =
        """
        WITH known AS MATERIALIZED (
          SELECT op_id, status, reason, code, fingerprint
          FROM sync_verdicts WHERE user_id = ? AND op_id = ANY (?)),
        needed AS MATERIALIZED (
          SELECT DISTINCT b.row_id
          FROM unnest(?::text[], ?::text[]) AS b (op_id, row_id) LEFT JOIN known USING (op_id)
          WHERE known.status IS DISTINCT FROM 'applied')
        SELECT true, op_id, status, reason, code, fingerprint, NULL, NULL
        FROM known
        UNION ALL
        SELECT false, row_id, NULL, NULL, NULL, seq, fields::text, marks::text
        FROM sync_rows WHERE user_id = ? AND row_id = ANY (ARRAY (SELECT row_id FROM needed))
        """;
    return database.runLimited(
        sql,
        statement -> {
          java.sql.Array opIds =
              texts(statement, batch.stream().map(Operation::opId).toArray(String[]::new));
          statement.setString(1, userId);
          statement.setArray(2, opIds);
          statement.setArray(3, opIds);
          statement.setArray(
              4, texts(statement, batch.stream().map(Operation::rowId).toArray(String[]::new)));
          statement.setString(5, userId);
          Map<String, Remembered> verdicts = new HashMap<>();
          Map<String, Row> rows = new HashMap<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              if (result.getBoolean(1)) {
                verdicts.put(result.getString(2), remembered(result));
              } else {
                rows.put(
                    result.getString(2),
                    RowJson.read(result.getString(7), result.getString(8), result.getLong(6)));
              }
            }
          }
          return new Judging.Before(seq, verdicts, rows);
        });
  }

  private static Remembered remembered(ResultSet result) throws SQLException {
    boolean applied = result.getString(3).equals("applied");
    Refusal refusal = applied ? null : new Refusal(result.getString(5), result.getString(4));
    return new Remembered(refusal, result.getLong(6));
  }

  /**
   * Remembers the new verdicts, sorted by name so that two sessions cannot deadlock.
   *
   * @return how many names were new indeed; fewer than given if another session wrote some of them
   *     since {@link #read}
   */
  int remember(String userId, Map<String, Remembered> news) {
    String sql =
        """
        INSERT INTO sync_verdicts (user_id, op_id, status, reason, code, fingerprint)
        SELECT ?, v.op_id, v.status, v.reason, v.code, v.fingerprint
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
          AS v (op_id, status, reason, code, fingerprint)
        ON CONFLICT (user_id, op_id) DO NOTHING
        RETURNING 1
        """;
    return database.runLimited(
        sql,
        statement -> {
          Map<String, Remembered> sorted = new TreeMap<>(news);
          String[] opIds = sorted.keySet().toArray(String[]::new);
          Remembered[] verdicts = sorted.values().toArray(Remembered[]::new);
          int count = opIds.length;
          String[] statuses = new String[count];
          String[] reasons = new String[count];
          String[] codes = new String[count];
          Long[] fingerprints = new Long[count];
          for (int i = 0; i < count; i++) {
            Refusal refusal = verdicts[i].refusal();
            statuses[i] = refusal == null ? "applied" : "rejected";
            reasons[i] = refusal == null ? null : refusal.reason();
            codes[i] = refusal == null ? null : refusal.code();
            fingerprints[i] = verdicts[i].fingerprint();
          }
          statement.setString(1, userId);
          statement.setArray(2, texts(statement, opIds));
          statement.setArray(3, texts(statement, statuses));
          statement.setArray(4, texts(statement, reasons));
          statement.setArray(5, texts(statement, codes));
          statement.setArray(6, numbers(statement, fingerprints));
          return countRows(statement);
        });
  }

  private static int countRows(PreparedStatement statement) throws SQLException {
    int count = 0;
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        count++;
      }
    }
    return count;
  }

  /** Writes the changed rows and moves the head to the number of the last one. */
  void write(String userId, Set<String> changed, Map<String, Row> rows, long seq) {
    String sql =
        """
        WITH head AS (UPDATE sync_heads SET seq = ? WHERE user_id = ? RETURNING user_id)
        INSERT INTO sync_rows (user_id, row_id, fields, marks, seq)
        SELECT head.user_id, r.row_id, r.fields::jsonb, r.marks::jsonb, r.seq
        FROM head, unnest(?::text[], ?::text[], ?::text[], ?::bigint[])
          AS r (row_id, fields, marks, seq)
        ON CONFLICT (user_id, row_id)
        DO UPDATE SET fields = excluded.fields, marks = excluded.marks, seq = excluded.seq
        """;
    database.runLimited(
        sql,
        statement -> {
          String[] rowIds = changed.stream().sorted().toArray(String[]::new);
          int count = rowIds.length;
          String[] fields = new String[count];
          String[] marks = new String[count];
          Long[] numbers = new Long[count];
          for (int i = 0; i < count; i++) {
            Row row = rows.get(rowIds[i]);
            fields[i] = RowJson.fields(row);
            marks[i] = RowJson.marks(row);
            numbers[i] = row.seq();
          }
          statement.setLong(1, seq);
          statement.setString(2, userId);
          statement.setArray(3, texts(statement, rowIds));
          statement.setArray(4, texts(statement, fields));
          statement.setArray(5, texts(statement, marks));
          statement.setArray(6, numbers(statement, numbers));
          int written = statement.executeUpdate();
          if (written != count) {
            throw new IllegalStateException(written + " rows written instead of " + count);
          }
          return written;
        });
  }
}
