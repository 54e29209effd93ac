package dev.steadfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where a run takes place: directories, the database, the network before it, the Node packages. */
final class Lab implements AutoCloseable {
  private final Path project = Path.of("").toAbsolutePath();
  private final Path target = project.resolve("target").resolve("bench");
  private final Path directory = target.resolve("run");
  private final Path node = target.resolve("node");
  private final Postgres postgres;
  private final Network network;

  Lab() throws Exception {
    delete(directory);
    Files.createDirectories(directory);
    install();
    postgres = new Postgres(directory.resolve("postgres"));
    network = new Network(postgres.port());
  }

  /** Puts the Node peers into {@code target}, with exactly the versions of the lock file. */
  private void install() throws IOException, InterruptedException {
    Path source = project.resolve("src").resolve("bench").resolve("node");
    Files.createDirectories(node);
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = node.resolve(file.getFileName());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path lock = node.resolve("package-lock.json");
    Path installed = node.resolve("installed.json");
    if (!Files.exists(installed) || Files.mismatch(lock, installed) >= 0) {
      Shell.show(node, "npm", "ci", "--no-audit", "--no-fund");
      Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  Path project() {
    return project;
  }

  Path directory() {
    return directory;
  }

  Postgres postgres() {
    return postgres;
  }

  Network network() {
    return network;
  }

  Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  Path serviceJar() {
    return project.resolve("target").resolve("quarkus-app").resolve("quarkus-run.jar");
  }

  /** The command that runs a script of the Node directory. */
  List<String> node(String script) {
    return List.of("node", node.resolve(script).toString());
  }

  /** A new directory for the data of a contender. */
  Path fresh(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  static long bytesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void close() throws Exception {
    network.close();
    postgres.close();
  }
}
