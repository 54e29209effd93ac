package dev.steadfast.journal;

import static dev.steadfast.database.DatabaseFailure.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.steadfast.Database;
import dev.steadfast.database.DatabaseFailure;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys are forgotten when they are older than the retention, and not before. */
@QuarkusTest
class JournalPurgeTest {
  private static final Duration RETENTION = Duration.ofDays(30);

  @Inject JournalPurge purge;

  @BeforeEach
  void keysOfManyAges() throws Exception {
    try (Database database = Database.session()) {
      database.run("DELETE FROM idempotent_operations");
      insert(database, "old", 2_500, "30 days 1 minute");
      insert(database, "young", 10, "29 days 23 hours 59 minutes");
    }
  }

  private static void insert(Database database, String principal, int count, String age)
      throws SQLException {
    database.run(
        """
        INSERT INTO idempotent_operations
          (principal, operation, key, request, status, headers, body, created_at)
        SELECT ?, 'purge', i, '{}', 200, '{}', '', now() - ?::interval FROM generate_series(1, ?) i
        """,
        principal,
        age,
        count);
  }

  private static String left(Database database) throws SQLException {
    return database.one(
        """
        SELECT count(*) FILTER (WHERE principal = 'old') || ' old, '
          || count(*) FILTER (WHERE principal = 'young') || ' young' FROM idempotent_operations
        """);
  }

  @Test
  void onlyKeysOlderThanTheRetentionAreForgotten() throws Exception {
    try (Database database = Database.session()) {
      assertThat(purge.purge(RETENTION)).isEqualTo(2_500);
      assertThat(left(database)).isEqualTo("0 old, 10 young");
      assertThat(purge.purge(RETENTION)).isZero();
    }
  }

  @Test
  void aKeyThatIsHeldIsNotWaitedForAndForgottenTheNextTime() throws Exception {
    try (Database holder = Database.session();
        Database database = Database.session()) {
      holder
          .begin()
          .all(
              "SELECT key FROM idempotent_operations WHERE principal = 'old' AND key = '7' FOR UPDATE");
      assertThat(catchThrowable(() -> purge.purge(RETENTION)))
          .satisfies(held -> assertThat(DatabaseFailure.of(held)).contains(UNAVAILABLE));
      holder.commit();
      assertThat(purge.purge(RETENTION)).isPositive();
      assertThat(left(database)).isEqualTo("0 old, 10 young");
    }
  }

  @Test
  void whileOnePodPurgesAnotherDoesNothing() throws Exception {
    try (Database other = Database.session();
        Database database = Database.session()) {
      other
          .begin()
          .all("SELECT pg_advisory_xact_lock(hashtextextended('idempotent_operations purge', 0))");
      assertThat(purge.purge(RETENTION)).isZero();
      assertThat(left(database)).isEqualTo("2500 old, 10 young");
      other.commit();
    }
  }
}
