package dev.steadfast.sync;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Reads the heads of those who listen. */
@ApplicationScoped
class HeadStore {
  private final Jdbc database;

  HeadStore(Jdbc database) {
    this.database = database;
  }

  /** The numbers of these people's heads, in one query; nobody without a head is in it. */
  Map<String, Long> seqs(Collection<String> userIds) {
    String sql = "SELECT user_id, seq FROM sync_heads WHERE user_id = ANY (?)";
    return database.run(
        sql,
        statement -> {
          statement.setArray(1, Jdbc.texts(statement, userIds.toArray(String[]::new)));
          Map<String, Long> seqs = new HashMap<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              seqs.put(result.getString(1), result.getLong(2));
            }
          }
          return seqs;
        });
  }
}
