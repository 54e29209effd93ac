package dev.steadfast.bench;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server as a process of its own, with a log file. It can be started anew on the same port. */
final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS = 90;

  /** Whether the server has given a first answer. */
  interface Answers {
    void once() throws Exception;
  }

  private final List<String> command;
  private final Map<String, String> environment;
  private final Path directory;
  private final Path log;
  private final Answers answers;
  private volatile Process process;

  ServerProcess(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path directory,
      Answers answers) {
    this.command = command;
    this.environment = environment;
    this.directory = directory;
    this.log = directory.resolve(name + ".log");
    this.answers = answers;
    // A run that is broken off leaves nobody behind.
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
  }

  private void end() {
    if (process != null) {
      process.destroy();
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /**
   * Starts the server and waits for its first answer.
   *
   * @return milliseconds from the start of the process to the answer
   */
  double start() throws Exception {
    Files.createDirectories(directory);
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(nothing()));
    long begin = System.nanoTime();
    process = builder.start();
    while (true) {
      try {
        answers.once();
        return (System.nanoTime() - begin) / 1e6;
      } catch (IOException notYet) {
        if (!process.isAlive() || System.nanoTime() - begin > START_SECONDS * 1_000_000_000L) {
          close();
          throw new IllegalStateException(
              "did not start: " + command + "\n" + Files.readString(log), notYet);
        }
        Thread.sleep(5);
      }
    }
  }

  private static File nothing() {
    return new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
  }

  long pid() {
    return process.pid();
  }

  /** Resident memory in bytes. */
  long rss() throws IOException, InterruptedException {
    String kilobytes = Shell.run("ps", "-o", "rss=", "-p", Long.toString(pid())).strip();
    return Long.parseLong(kilobytes) * 1024;
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }
}
