package dev.steadfast.process;

import dev.steadfast.dev.EmbeddedRoles;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** A PostgreSQL server of a test's own, that may be killed: it writes to the disk what it says. */
final class OwnPostgres implements AutoCloseable {
  private final Path directory;
  private final int port;
  private EmbeddedPostgres server;

  OwnPostgres(Path directory) throws IOException {
    this.directory = directory;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    start();
  }

  /** Starts the server on the data that it has. */
  void start() throws IOException {
    Files.deleteIfExists(directory.resolve("epg-lock"));
    server =
        EmbeddedPostgres.builder()
            .setCleanDataDirectory(false)
            .setDataDirectory(directory.toFile())
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setPort(port)
            .start();
    try {
      EmbeddedRoles.prepare(url(port));
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  int port() {
    return port;
  }

  /** The server, or what stands before it, for a test's own work. */
  static String url(int port) {
    return serviceUrl(port) + "?user=" + EmbeddedRoles.SUPERUSER;
  }

  /** The same without a user. */
  static String serviceUrl(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  /** What {@code pg_ctl stop -m fast} does, which refuses to work for root. */
  void stop() throws Exception {
    signal("INT");
  }

  /** What {@code pg_ctl stop -m immediate} does: no checkpoint, the next start has to recover. */
  void stopImmediately() throws Exception {
    signal("QUIT");
  }

  /** SIGKILL for the postmaster alone; the others see it and end by themselves. */
  void killPostmaster() throws Exception {
    signal("KILL");
  }

  private void signal(String name) throws Exception {
    ProcessHandle postmaster = postmaster();
    List<ProcessHandle> all = postmaster.descendants().toList();
    new ProcessBuilder("kill", "-" + name, Long.toString(postmaster.pid())).start().waitFor();
    postmaster.onExit().join();
    all.forEach(process -> process.onExit().join());
  }

  private ProcessHandle postmaster() throws IOException {
    long pid = Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid")).get(0));
    return ProcessHandle.of(pid).orElseThrow();
  }

  /** SIGKILL for the postmaster and every process of its. */
  void kill() throws IOException {
    ProcessHandle postmaster = postmaster();
    List<ProcessHandle> all = postmaster.descendants().toList();
    postmaster.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    postmaster.onExit().join();
    all.forEach(process -> process.onExit().join());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
