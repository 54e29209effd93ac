package dev.steadfast.publications;

import dev.steadfast.Database;
import io.agroal.api.AgroalDataSource;
import java.sql.SQLException;

/** The isolation level that the database gives to every new session. */
final class Isolation {
  static final String DEFAULT = "read committed";

  private Isolation() {}

  /** Sets the level and lets the service take new sessions. */
  static void set(AgroalDataSource pool, String level) throws SQLException {
    try (Database database = Database.session()) {
      database.run("ALTER DATABASE postgres SET default_transaction_isolation = '" + level + "'");
    }
    pool.flush(AgroalDataSource.FlushMode.ALL);
  }
}
