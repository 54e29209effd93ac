package dev.steadfast.dev;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A real PostgreSQL server for dev mode and tests, started from binaries that Maven fetches. A
 * server that already runs on the data directory is used as it is: a hot reload comes with a new
 * class loader that knows nothing of the server the old one started, and a killed JVM leaves its
 * server running.
 */
final class EmbeddedServer {
  private static final Path TEST_ROOT = Path.of("target", "postgres");
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private EmbeddedServer() {}

  /** The port of the server whose data is kept in this directory; starts it if need be. */
  static int portOfKept(Path dataDirectory) throws IOException {
    Path directory = dataDirectory.toAbsolutePath().normalize();
    Optional<PostmasterFile> running = running(directory);
    if (running.isPresent()) {
      stopWithThisProcess(directory, running.get().pid());
      return running.get().port();
    }
    Files.createDirectories(directory.getParent());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setCleanDataDirectory(false)
            // The library switches both off, and a killed server would lose the developer's data.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on");
    return start(builder, directory);
  }

  /**
   * The port of the server that belongs to this JVM, with an empty database at first. Its locale
   * sorts unlike code units do and its disk writes are not awaited.
   */
  static int portOfTest() throws IOException {
    Path root = TEST_ROOT.toAbsolutePath();
    Path directory = root.resolve(Long.toString(ProcessHandle.current().pid()));
    Optional<PostmasterFile> running = running(directory);
    if (running.isPresent()) {
      return running.get().port();
    }
    Files.createDirectories(root);
    removeLeftovers(root);
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setCleanDataDirectory(true)
            .setLocaleConfig("locale-provider", "icu")
            .setLocaleConfig("icu-locale", "en-US")
            .setServerConfig("max_connections", "300")
            // Tests look for statements that were refused: %e is the SQLState. No spaces: it goes
            // through a shell.
            .setServerConfig("log_line_prefix", "%m,%p,%e,%u,%a,")
            .setServerConfig("full_page_writes", "off");
    return start(builder, directory);
  }

  private static int start(EmbeddedPostgres.Builder builder, Path directory) throws IOException {
    removeDebris(directory);
    // The shutdown hook of the library stops the server with the JVM. Not closed here on purpose.
    EmbeddedPostgres server =
        builder
            .setDataDirectory(directory.toFile())
            .setPGStartupWait(START_LIMIT)
            .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log(directory)))
            .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log(directory)))
            .start();
    PostmasterFile.in(directory).ifPresent(file -> markOwned(directory, file.pid()));
    return server.getPort();
  }

  private static void removeDebris(Path directory) throws IOException {
    if (Files.exists(directory) && !Files.exists(directory.resolve("postmaster.opts"))) {
      // No server has ever started on it: initdb was interrupted, and would refuse to go on.
      delete(directory);
      return;
    }
    PostmasterFile.removeIfStale(directory);
    // The library's own lock. This JVM may hold it for a server that is gone; PostgreSQL has its
    // lock on the directory anyway.
    Files.deleteIfExists(directory.resolve("epg-lock"));
  }

  private static File log(Path directory) {
    return directory.resolveSibling(directory.getFileName() + ".log").toFile();
  }

  private static Optional<PostmasterFile> running(Path directory) throws IOException {
    return PostmasterFile.in(directory)
        .filter(PostmasterFile::isPostgres)
        .filter(file -> answersFor(directory, file.port()));
  }

  /** Whether the server on this port keeps its data in this directory, and not in another one. */
  private static boolean answersFor(Path directory, int port) {
    try (Connection connection =
            new org.postgresql.Driver()
                .connect(
                    EmbeddedPostgresDriver.url(port, EmbeddedRoles.SUPERUSER), new Properties());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SHOW data_directory")) {
      return result.next() && Files.isSameFile(Path.of(result.getString(1)), directory);
    } catch (SQLException | IOException e) {
      return false;
    }
  }

  /** An adopted server is stopped at exit like one of our own, once, whatever is reloaded. */
  private static void stopWithThisProcess(Path directory, long pid) {
    if (!isOwned(directory, pid)) {
      markOwned(directory, pid);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy),
                  "embedded-postgres-stop"));
    }
  }

  // A system property, because it is seen by every class loader of the JVM.
  private static boolean isOwned(Path directory, long pid) {
    return Long.toString(pid).equals(System.getProperty("embedded-postgres." + directory));
  }

  private static void markOwned(Path directory, long pid) {
    System.setProperty("embedded-postgres." + directory, Long.toString(pid));
  }

  /** Removes what test JVMs that were killed have left behind. */
  private static void removeLeftovers(Path root) throws IOException {
    List<Path> directories;
    try (Stream<Path> children = Files.list(root)) {
      directories = children.filter(Files::isDirectory).toList();
    }
    for (Path directory : directories) {
      String owner = directory.getFileName().toString();
      if (owner.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(owner)).isEmpty()) {
        running(directory)
            .flatMap(file -> ProcessHandle.of(file.pid()))
            .ifPresent(
                process -> {
                  process.destroyForcibly();
                  process.onExit().join();
                });
        delete(directory);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
