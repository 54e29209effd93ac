package dev.steadfast.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a program to its end. */
final class Shell {
  private Shell() {}

  /** The output of a program. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(List.of(command) + " failed: " + output);
    }
    return output;
  }

  /** The output of a program, or {@code otherwise} where there is no such program. */
  static String tryRun(String otherwise, String... command) throws InterruptedException {
    try {
      return run(command).strip();
    } catch (IOException e) {
      return otherwise;
    }
  }

  /** Runs a program in a directory; its output is shown. */
  static void show(Path directory, String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException(List.of(command) + " failed in " + directory);
    }
  }
}
