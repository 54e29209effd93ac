package dev.steadfast.sync;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import javax.sql.DataSource;

/** The database's clock: the one by which operations are judged, whatever a pod's own says. */
@ApplicationScoped
class ClockStore {
  private final DataSource database;

  ClockStore(DataSource database) {
    this.database = database;
  }

  /** Milliseconds since 1970. */
  @Transactional
  long now() {
    String sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    return Jdbc.run(
        database,
        sql,
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
          }
        });
  }
}
