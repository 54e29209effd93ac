package dev.steadfast.sync;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;

/** The database's clock: the one by which operations are judged, whatever a pod's own says. */
@ApplicationScoped
class ClockStore {
  private final Jdbc database;

  ClockStore(Jdbc database) {
    this.database = database;
  }

  /** Milliseconds since 1970. */
  @Transactional
  long now() {
    String sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    return database.run(
        sql,
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
          }
        });
  }
}
