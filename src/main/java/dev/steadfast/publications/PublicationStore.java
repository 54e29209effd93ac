package dev.steadfast.publications;

import dev.steadfast.database.Jdbc;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The table {@code publications}. */
@ApplicationScoped
class PublicationStore {
  /** So many ids that were given by hand are stepped over. */
  private static final int MAX_TAKEN_IDS = 1_000;

  private final Jdbc database;

  PublicationStore(Jdbc database) {
    this.database = database;
  }

  Optional<Publication> find(int id) {
    return database.run(
        "SELECT id, title, version FROM publications WHERE id = ?",
        statement -> {
          statement.setInt(1, id);
          return publication(statement);
        });
  }

  /** Adds a publication. An id that somebody has inserted by hand is stepped over. */
  Publication insert(String title) {
    String sql =
        """
        INSERT INTO publications (title, version) VALUES (?, 1)
        ON CONFLICT (id) DO NOTHING
        RETURNING id, title, version
        """;
    for (int i = 0; i < MAX_TAKEN_IDS; i++) {
      Optional<Publication> inserted =
          database.run(
              sql,
              statement -> {
                statement.setString(1, title);
                return publication(statement);
              });
      if (inserted.isPresent()) {
        return inserted.get();
      }
    }
    throw new IllegalStateException("the next ids of publications are all taken: set the sequence");
  }

  /** Changes a publication of this version; empty if there is none. */
  Optional<Publication> update(int id, String title, int version) {
    String sql =
        """
        UPDATE publications SET title = ?, version = version + 1
        WHERE id = ? AND version = ? AND version < 2147483647
        RETURNING id, title, version
        """;
    return database.run(
        sql,
        statement -> {
          statement.setString(1, title);
          statement.setInt(2, id);
          statement.setInt(3, version);
          return publication(statement);
        });
  }

  private static Optional<Publication> publication(PreparedStatement statement)
      throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      return result.next()
          ? Optional.of(new Publication(result.getInt(1), result.getString(2), result.getInt(3)))
          : Optional.empty();
    }
  }
}
