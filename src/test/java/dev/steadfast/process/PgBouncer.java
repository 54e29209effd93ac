package dev.steadfast.process;

import dev.steadfast.dev.EmbeddedRoles;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A real PgBouncer in transaction mode, set up as README.md says. */
final class PgBouncer implements AutoCloseable {
  static final String PASSWORD = "between the service and the pool";

  /** So many server connections, however many clients there are. */
  static final int POOL_SIZE = 6;

  private static final String[] ELSEWHERE = {"/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"};

  private final Path directory;
  private final int port;
  private Process process;

  PgBouncer(int serverPort) throws Exception {
    // Not JUnit's temporary directory: PgBouncer runs as another user, who could not read it.
    directory = Files.createTempDirectory("pgbouncer");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    write("users.txt", "\"%s\" \"%s\"%n".formatted(EmbeddedRoles.SERVICE, PASSWORD));
    write(
        "pgbouncer.ini",
        """
        [databases]
        postgres = host=127.0.0.1 port=%d dbname=postgres

        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = %s
        pool_mode = transaction
        default_pool_size = %d
        max_client_conn = 200
        query_wait_timeout = 2
        server_login_retry = 1
        """
            .formatted(serverPort, port, directory.resolve("users.txt"), POOL_SIZE));
    start();
  }

  /** The program, if it is installed. Debian keeps it where only root looks. */
  static Optional<String> program() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of(ELSEWHERE))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  private void write(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** Starts it, and waits until it listens. */
  void start() throws Exception {
    List<String> command = new ArrayList<>(List.of(program().orElseThrow()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(directory.resolve("pgbouncer.ini").toString());
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    for (int i = 0; i < 200; i++) {
      try (Socket probe = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive()) {
          break;
        }
        Thread.sleep(25);
      }
    }
    throw new AssertionError("PgBouncer did not start:\n" + Files.readString(log()));
  }

  /** SIGKILL: every connection through it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  int port() {
    return port;
  }

  Path log() {
    return directory.resolve("log");
  }

  @Override
  public void close() throws IOException {
    kill();
    for (String name : List.of("users.txt", "pgbouncer.ini", "log")) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.deleteIfExists(directory);
  }
}
