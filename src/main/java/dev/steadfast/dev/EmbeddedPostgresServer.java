package dev.steadfast.dev;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jboss.logging.Logger;

/** The embedded PostgreSQL servers of this JVM, one per data directory. */
final class EmbeddedPostgresServer {
  /** The directory name that means: a fresh one for this JVM, gone with it. */
  static final String TEMPORARY = "temporary";

  private static final Logger LOG = Logger.getLogger(EmbeddedPostgresServer.class);
  private static final int PID_FILE_PORT_LINE = 3;

  private EmbeddedPostgresServer() {}

  /**
   * The URL of the server on a data directory; starts it if it is not running. A live reload loads
   * this class anew, so what is running is noted in a system property.
   */
  static String urlOf(String directory) throws SQLException {
    String property = "embedded-postgres." + directory;
    synchronized (property.intern()) {
      String running = System.getProperty(property);
      if (running == null) {
        running = directory.equals(TEMPORARY) ? startTemporary() : startKept(Path.of(directory));
        System.setProperty(property, running);
      }
      return running;
    }
  }

  /**
   * For tests: its locale orders text otherwise than code units do, as any cluster's may, and
   * nothing is flushed to disk.
   */
  private static String startTemporary() throws SQLException {
    Path directory = Path.of("target", "postgres-" + ProcessHandle.current().pid());
    return start(
        EmbeddedPostgres.builder()
            .setDataDirectory(directory)
            .setCleanDataDirectory(true)
            .setLocaleConfig("locale-provider", "icu")
            .setLocaleConfig("icu-locale", "en-US")
            .setServerConfig("max_connections", "300"),
        directory);
  }

  /** For dev mode: data that survives, so everything is flushed as in production. */
  private static String startKept(Path directory) throws SQLException {
    Optional<String> left = leftRunning(directory);
    if (left.isPresent()) {
      LOG.infof("PostgreSQL is running already on %s: %s", directory, left.get());
      return left.get();
    }
    String url =
        start(
            EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on"),
            directory);
    LOG.infof("PostgreSQL is running on %s (kept between starts): %s", directory, url);
    return url;
  }

  private static String start(EmbeddedPostgres.Builder server, Path directory) throws SQLException {
    try {
      Path absolute = directory.toAbsolutePath();
      Files.createDirectories(absolute.getParent());
      Path log = absolute.resolveSibling(absolute.getFileName() + ".log");
      Redirect redirect = Redirect.appendTo(log.toFile());
      return server
          .setPGStartupWait(Duration.ofSeconds(60))
          .setOutputRedirector(redirect)
          .setErrorRedirector(redirect)
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new SQLException(
          "the embedded PostgreSQL did not start on "
              + directory
              + "; set QUARKUS_DATASOURCE_JDBC_URL to use a server of your own",
          "08001",
          e);
    }
  }

  /** A server that an earlier JVM, killed, has left behind: it is used, and ended with this one. */
  private static Optional<String> leftRunning(Path directory) {
    Path pidFile = directory.resolve("postmaster.pid");
    if (!Files.exists(pidFile)) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(pidFile);
      String url =
          "jdbc:postgresql://localhost:"
              + lines.get(PID_FILE_PORT_LINE).trim()
              + "/postgres?user=postgres";
      if (!answers(url)) {
        return Optional.empty();
      }
      long pid = Long.parseLong(lines.get(0).trim());
      Thread end = new Thread(() -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
      Runtime.getRuntime().addShutdownHook(end);
      return Optional.of(url);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean answers(String url) {
    Properties patience = new Properties();
    patience.setProperty("connectTimeout", "2");
    patience.setProperty("loginTimeout", "2");
    try (Connection connection = new org.postgresql.Driver().connect(url, patience)) {
      return connection.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }
}
