package dev.steadfast.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The PostgreSQL of dev mode and of the tests. */
class EmbeddedPostgresDriverTest {
  // In target and not in the temporary directory: JUnit would remove it under the running server.
  private static final Path KEPT =
      Path.of("target", "postgres", "kept-" + ProcessHandle.current().pid());
  private static final String KEPT_URL = EmbeddedPostgresDriver.PREFIX + KEPT;

  @AfterAll
  static void stop() throws IOException {
    PostmasterFile.in(KEPT).ifPresent(file -> kill(file.pid()));
    try (Stream<Path> files = Files.walk(KEPT)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Test
  void theTestDatabaseSortsUnlikeCodeUnitsAndTakesManyConnections() throws Exception {
    assertThat(query(EmbeddedPostgresDriver.TEST_URL, "SELECT 'a' < 'B'")).isEqualTo("t");
    assertThat(query(EmbeddedPostgresDriver.TEST_URL, "SELECT 'a' < 'B' COLLATE \"C\""))
        .isEqualTo("f");
    assertThat(query(EmbeddedPostgresDriver.TEST_URL, "SHOW server_version")).startsWith("17.");
    assertThat(Integer.parseInt(query(EmbeddedPostgresDriver.TEST_URL, "SHOW max_connections")))
        .isGreaterThanOrEqualTo(200);
  }

  @Test
  void parametersReachThePostgresqlDriver() throws Exception {
    String url = EmbeddedPostgresDriver.TEST_URL + "?ApplicationName=quill";
    assertThat(query(url, "SHOW application_name")).isEqualTo("quill");
  }

  @Test
  void anOrdinaryUrlIsPassedOnUnchanged() throws Exception {
    String real = EmbeddedPostgresDriver.realUrl(EmbeddedPostgresDriver.TEST_URL);
    assertThat(real).startsWith("jdbc:postgresql://127.0.0.1:");
    assertThat(EmbeddedPostgresDriver.realUrl(real)).isEqualTo(real);
    assertThat(query(real, "SELECT 1")).isEqualTo("1");
  }

  @Test
  void aUrlOfAnotherDatabaseIsNotOurs() throws Exception {
    assertThat(new EmbeddedPostgresDriver().connect("jdbc:h2:mem", new Properties())).isNull();
  }

  @Test
  void keptDataSurvivesAKilledServerAndARunningOneIsUsedAsItIs() throws Exception {
    query(owned(), "CREATE TABLE diary AS SELECT 1 AS reps");
    long first = PostmasterFile.in(KEPT).orElseThrow().pid();

    // A hot reload forgets what its class loader knew, but must find the server.
    assertThat(EmbeddedServer.portOfKept(KEPT))
        .isEqualTo(PostmasterFile.in(KEPT).orElseThrow().port());
    assertThat(PostmasterFile.in(KEPT).orElseThrow().pid()).isEqualTo(first);

    kill(first);
    assertThat(PostmasterFile.in(KEPT)).as("a stale postmaster.pid").isPresent();
    assertThat(Optional.ofNullable(attempt())).as("the first attempt may notice").isNotNull();
    assertThat(query(owned(), "SELECT reps FROM diary")).isEqualTo("1");
    assertThat(PostmasterFile.in(KEPT).orElseThrow().pid()).isNotEqualTo(first);
  }

  @Test
  void whatAnEarlierDevModeMadeAsSuperuserBelongsToTheOwner() throws Exception {
    query(KEPT_URL, "SELECT 1");
    String superuser = EmbeddedPostgresDriver.realUrl(KEPT_URL, EmbeddedRoles.SUPERUSER);
    try (Database earlier = Database.at(superuser)) {
      earlier.run("ALTER DATABASE postgres OWNER TO postgres");
      earlier.run("REASSIGN OWNED BY steadfast_owner TO postgres");
      earlier.run("DROP OWNED BY steadfast_owner, steadfast_app");
      earlier.run("DROP ROLE steadfast_owner, steadfast_app");
      earlier.run("CREATE TABLE notes (id integer GENERATED ALWAYS AS IDENTITY, note text)");
      earlier.run("INSERT INTO notes (note) VALUES ('kept')");
      earlier.run(
          "CREATE FUNCTION noted() RETURNS text LANGUAGE sql RETURN (SELECT min(note) FROM notes)");

      EmbeddedRoles.prepare(superuser);
      assertThat(query(owned(), "SELECT noted()")).isEqualTo("kept");
      query(owned(), "ALTER TABLE notes ADD COLUMN more text");
      query(owned(), "INSERT INTO notes (note) VALUES ('new')");
      query(owned(), "DROP FUNCTION noted()");
      assertThat(query(KEPT_URL, "SELECT session_user")).isEqualTo("steadfast_app");
      EmbeddedRoles.prepare(superuser);
    }
  }

  @Test
  void aPidFileOfAnotherProgramIsRemoved() throws IOException {
    Path directory = Files.createTempDirectory("stale");
    Path file = directory.resolve("postmaster.pid");
    Files.write(
        file,
        List.of(Long.toString(ProcessHandle.current().pid()), directory.toString(), "0", "1"));
    PostmasterFile.removeIfStale(directory);
    assertThat(file).doesNotExist();
    Files.delete(directory);
  }

  private static String owned() {
    return EmbeddedPostgresDriver.realUrl(KEPT_URL, EmbeddedRoles.OWNER);
  }

  private static String attempt() {
    try {
      return query(KEPT_URL, "SELECT 1");
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              process.destroyForcibly();
              process.onExit().join();
            });
  }

  private static String query(String url, String sql) throws SQLException {
    try (Connection connection = new EmbeddedPostgresDriver().connect(url, new Properties());
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return null;
      }
      try (ResultSet result = statement.getResultSet()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
