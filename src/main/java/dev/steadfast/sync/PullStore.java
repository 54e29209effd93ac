package dev.steadfast.sync;

import dev.steadfast.core.Row;
import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The one statement of a pull. */
@ApplicationScoped
class PullStore {
  private final Jdbc database;

  PullStore(Jdbc database) {
    this.database = database;
  }

  /**
   * What a pull reads.
   *
   * @param seq the head's number
   * @param epoch which life of the data the number belongs to
   * @param rows rows with greater numbers than the cursor, in the order of their numbers
   */
  record Page(long seq, String epoch, List<NamedRow> rows) {}

  /** A row and its name. */
  record NamedRow(String rowId, Row row) {}

  /**
   * Reads the head and the rows after a cursor. One statement and so one snapshot: a push commits
   * its rows together with the head, and one person's pushes commit in the order of their numbers,
   * so no row can be missed. One index serves it; a device that is up to date costs one probe.
   *
   * @param limit the most rows
   * @param bytes rows are read until their fields and marks have so many bytes
   * @return empty if the person has no head
   */
  Optional<Page> read(String userId, long cursor, int limit, int bytes) {
    String sql =
        """
        SELECT h.seq, h.epoch, r.row_id, r.fields, r.marks, r.seq
        FROM sync_heads h
        LEFT JOIN LATERAL (
          SELECT row_id, fields, marks, seq,
                 sum(octet_length(fields) + octet_length(marks)) OVER (ORDER BY seq)
                   - octet_length(fields) - octet_length(marks) AS bytes_before
          FROM (
            SELECT row_id, fields::text AS fields, marks::text AS marks, seq
            FROM sync_rows
            WHERE user_id = h.user_id AND seq > ?
            ORDER BY seq LIMIT ?) AS next) AS r
          ON r.bytes_before < ?
        WHERE h.user_id = ?
        ORDER BY r.seq
        """;
    return database.run(
        sql,
        statement -> {
          statement.setLong(1, cursor);
          statement.setInt(2, limit);
          statement.setInt(3, bytes);
          statement.setString(4, userId);
          try (ResultSet result = statement.executeQuery()) {
            Page page = null;
            while (result.next()) {
              if (page == null) {
                page = new Page(result.getLong(1), result.getString(2), new ArrayList<>());
              }
              String rowId = result.getString(3);
              if (rowId != null) {
                Row row = RowJson.read(result.getString(4), result.getString(5), result.getLong(6));
                page.rows().add(new NamedRow(rowId, row));
              }
            }
            return Optional.ofNullable(page);
          }
        });
  }
}
