package dev.steadfast.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a PostgreSQL server writes about itself into its data directory: {@code postmaster.pid}. The
 * file outlives a server that was killed, so it is a hint and no proof.
 *
 * @param pid the server's process id
 * @param port the TCP port it listens on
 */
record PostmasterFile(long pid, int port) {

  /** Reads the file, or gives nothing if there is none or its server has not written it fully. */
  static Optional<PostmasterFile> in(Path dataDirectory) throws IOException {
    try {
      List<String> lines = Files.readAllLines(path(dataDirectory));
      // Line 1 is the process id, line 4 the port.
      return lines.size() < 4
          ? Optional.empty()
          : Optional.of(
              new PostmasterFile(
                  Long.parseLong(lines.get(0).strip()), Integer.parseInt(lines.get(3).strip())));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Removes a file whose process is gone, or is another program that got the same number. */
  static void removeIfStale(Path dataDirectory) throws IOException {
    Optional<PostmasterFile> file = in(dataDirectory);
    if (file.isPresent() && !file.get().isPostgres()) {
      Files.deleteIfExists(path(dataDirectory));
    }
  }

  boolean isPostgres() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        // Unknown (another user's process) counts as PostgreSQL: rather refuse than corrupt data.
        .map(process -> process.info().command().map(c -> c.contains("postgres")).orElse(true))
        .orElse(false);
  }

  private static Path path(Path dataDirectory) {
    return dataDirectory.resolve("postmaster.pid");
  }
}
