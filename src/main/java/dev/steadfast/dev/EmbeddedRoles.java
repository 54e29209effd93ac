package dev.steadfast.dev;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The two roles of a deployment, as README.md tells an operator to make them: the owner migrates,
 * the service serves. Dev mode and the tests run with them, so that a privilege that the service
 * lacks is noticed here and not in production.
 */
public final class EmbeddedRoles {
  /** Whoever made the server: for the tests' own work. */
  public static final String SUPERUSER = "postgres";

  /** Owns the tables, and migrates. */
  public static final String OWNER = "steadfast_owner";

  /** What the service connects as. */
  public static final String SERVICE = "steadfast_app";

  private EmbeddedRoles() {}

  /**
   * Makes the roles unless they are there, and hands the database to the owner with everything that
   * an earlier dev mode has made in it as the superuser.
   *
   * @param superuserUrl the database, as its superuser reaches it
   */
  public static void prepare(String superuserUrl) throws SQLException {
    String sql =
        """
        DO $$
        DECLARE
          object text;
        BEGIN
          IF to_regrole('steadfast_owner') IS NULL THEN
            CREATE ROLE steadfast_owner LOGIN;
          END IF;
          IF to_regrole('steadfast_app') IS NULL THEN
            CREATE ROLE steadfast_app LOGIN;
          END IF;
          EXECUTE format('ALTER DATABASE %I OWNER TO steadfast_owner', current_database());
          EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
          EXECUTE format('GRANT CONNECT ON DATABASE %I TO steadfast_app', current_database());
          FOR object IN
            SELECT 'TABLE ' || oid::regclass FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
              AND relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
            UNION ALL
            SELECT 'ROUTINE ' || oid::regprocedure FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
              AND proowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
          LOOP
            EXECUTE 'ALTER ' || object || ' OWNER TO steadfast_owner';
          END LOOP;
        END;
        $$
        """;
    try (Connection connection = DriverManager.getConnection(superuserUrl);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
