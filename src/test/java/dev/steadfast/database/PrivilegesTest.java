package dev.steadfast.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.steadfast.Database;
import dev.steadfast.dev.EmbeddedRoles;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service's role may do is what the service does, and nothing else. */
@QuarkusTest
class PrivilegesTest {
  /** How the statements that are refused on purpose sign in the server's log. */
  static final String ON_PURPOSE = "refused-on-purpose";

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  @Inject Flyway flyway;

  private static Database service() throws SQLException {
    return Database.at(
        Database.url(EmbeddedRoles.SERVICE) + "&ApplicationName=" + PrivilegesTest.ON_PURPOSE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A verdict is forever.
        "UPDATE sync_verdicts SET status = 'applied', reason = NULL",
        "UPDATE sync_verdicts SET fingerprint = 0",
        "DELETE FROM sync_verdicts",
        "TRUNCATE sync_verdicts",
        "SELECT FROM sync_verdicts FOR UPDATE",
        """
        INSERT INTO sync_verdicts (user_id, op_id, fingerprint, status)
        VALUES ('u', 'o', 0, 'applied')
        ON CONFLICT (user_id, op_id) DO UPDATE SET status = excluded.status
        """,
        """
        INSERT INTO sync_verdicts (user_id, op_id, fingerprint, status, decided_at)
        VALUES ('u', 'o', 0, 'applied', '2000-01-01')
        """,
        // A stored answer is not another one tomorrow.
        "UPDATE idempotent_operations SET body = ''",
        "UPDATE idempotent_operations SET request = '{}'",
        "UPDATE idempotent_operations SET created_at = now()",
        "TRUNCATE idempotent_operations",
        // Erasing a person, and voiding cursors, are an operator's.
        "DELETE FROM sync_heads",
        "DELETE FROM sync_rows",
        "TRUNCATE sync_heads",
        "TRUNCATE sync_rows",
        "UPDATE sync_heads SET epoch = gen_random_uuid()",
        "UPDATE sync_heads SET user_id = 'other'",
        "UPDATE sync_rows SET user_id = 'other'",
        "UPDATE sync_rows SET row_id = 'other'",
        "INSERT INTO sync_heads (user_id, seq) VALUES ('u', 7)",
        // What an event says, and of which publication, is written once.
        "UPDATE outbox SET event = ''",
        "UPDATE outbox SET subject = ''",
        "UPDATE outbox SET created_at = now()",
        "TRUNCATE outbox",
        "DELETE FROM publications",
        "UPDATE publications SET id = 7",
        "INSERT INTO publications (id, title, version) VALUES (7, 'Урок', 1)",
        "SELECT setval('publications_id_seq', 1)",
        // Which migrations ran.
        "DELETE FROM flyway_schema_history",
        "UPDATE flyway_schema_history SET checksum = 0",
        "INSERT INTO flyway_schema_history SELECT * FROM flyway_schema_history",
        // No DDL.
        "CREATE TABLE mine (id integer)",
        "CREATE TEMPORARY TABLE mine (id integer)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql RETURN 1",
        "CREATE VIEW mine AS SELECT 1",
        "CREATE INDEX ON sync_verdicts (decided_at)",
        "ALTER TABLE sync_verdicts DISABLE TRIGGER ALL",
        "ALTER TABLE sync_rows ADD COLUMN mine text",
        "DROP TABLE outbox",
        "DROP TRIGGER sync_heads_erased ON sync_heads",
        "ALTER FUNCTION sync_erase_people() SECURITY DEFINER",
        """
        CREATE TRIGGER mine AFTER INSERT ON sync_heads
        FOR EACH STATEMENT EXECUTE FUNCTION sync_erase_everybody()
        """,
        // Nobody else's rights, and nothing of the server's.
        "SET ROLE steadfast_owner",
        "GRANT steadfast_owner TO steadfast_app",
        "CREATE ROLE mine",
        "ALTER DATABASE postgres SET lock_timeout = 0",
        "SELECT pg_read_file('postgresql.conf')",
        "COPY sync_rows TO PROGRAM 'cat'",
        "SELECT rolpassword FROM pg_authid"
      })
  void theServiceMayNot(String statement) throws SQLException {
    try (Database service = service()) {
      SQLException refusal =
          catchThrowableOfType(SQLException.class, () -> service.begin().run(statement));
      assertThat((Throwable) refusal).isNotNull();
      assertThat(refusal.getSQLState()).as(refusal.getMessage()).isEqualTo(INSUFFICIENT_PRIVILEGE);
    }
  }

  /** The whole list. A right that is not in it was given without a reason. */
  @Test
  void theServiceMayDoThisAndNothingElse() throws SQLException {
    String rights =
        """
        WITH mine AS (
          SELECT c.relname::text AS name, ''::text AS columns, a.grantee, a.privilege_type
          FROM pg_class c, aclexplode(c.relacl) a
          WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> 'commit_fails'
          UNION ALL
          SELECT c.relname, string_agg(t.attname, ', ' ORDER BY t.attnum), a.grantee, a.privilege_type
          FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
          WHERE c.relnamespace = 'public'::regnamespace
          GROUP BY c.relname, a.grantee, a.privilege_type
          UNION ALL
          SELECT p.oid::regprocedure::text, '', a.grantee, a.privilege_type
          FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
          WHERE p.pronamespace = 'public'::regnamespace
          UNION ALL
          SELECT 'the schema', '', a.grantee, a.privilege_type
          FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'public'
          UNION ALL
          SELECT 'the database', '', a.grantee, a.privilege_type
          FROM pg_database d, aclexplode(d.datacl) a WHERE d.datname = current_database()),
        named AS (
          SELECT DISTINCT name,
            privilege_type || CASE columns WHEN '' THEN '' ELSE ' (' || columns || ')' END AS allowed
          FROM mine WHERE grantee IN (0, 'steadfast_app'::regrole))
        SELECT name || ': ' || string_agg(allowed, ', ' ORDER BY allowed) FROM named
        GROUP BY name ORDER BY name
        """;
    try (Database database = Database.session()) {
      assertThat(String.join("\n", database.all(rights)))
          .isEqualTo(
              """
              flyway_schema_history: SELECT
              idempotent_operations: DELETE, INSERT (principal, operation, key, request, status, headers, body), SELECT
              outbox: DELETE, INSERT (id, subject, event), SELECT, UPDATE (attempts, next_attempt_at, last_failure, delivered_at, dead_at)
              publications: INSERT (title, version), SELECT, UPDATE (title, version)
              sync_heads: INSERT (user_id), SELECT, UPDATE (seq)
              sync_rows: INSERT, SELECT, UPDATE (fields, marks, seq)
              sync_verdicts: INSERT (user_id, op_id, fingerprint, status, reason, code), SELECT
              the database: CONNECT
              the schema: USAGE""");
    }
  }

  /** Also when nothing is pending: a role may be made, or a backup restored, at any time. */
  @Test
  void everyMigrationGivesWhatIsMissingAndTakesWhatIsTooMuch() throws SQLException {
    try (Database database = Database.session()) {
      database.run("REVOKE ALL ON sync_rows FROM steadfast_app");
      database.run("GRANT UPDATE, DELETE ON sync_verdicts TO steadfast_app");
      assertThat(flyway.migrate().migrationsExecuted).isZero();
    }
    theServiceMayDoThisAndNothingElse();
  }

  @Test
  void noFunctionRunsWithTheRightsOfAnother() throws SQLException {
    try (Database database = Database.session()) {
      assertThat(
              database.all(
                  "SELECT proname FROM pg_proc"
                      + " WHERE prosecdef AND pronamespace = 'public'::regnamespace"))
          .isEmpty();
      assertThat(
              database.all(
                  "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
                      + " AND relowner = 'steadfast_app'::regrole"))
          .isEmpty();
    }
  }
}
