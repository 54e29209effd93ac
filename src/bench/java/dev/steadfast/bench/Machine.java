package dev.steadfast.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;

/** Describes the machine, and what its disk and the delayed network take. */
final class Machine {
  private Machine() {}

  static void describe(Results results, Lab lab) throws Exception {
    var system = ManagementFactory.getOperatingSystemMXBean();
    results.machine("cpu", cpu() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
    if (system instanceof com.sun.management.OperatingSystemMXBean machine) {
      results.machine("memory", machine.getTotalMemorySize() / (1L << 20) + " MiB");
    }
    results.machine("system", system.getName() + " " + system.getVersion());
    results.machine("load at the start", "%.2f".formatted(system.getSystemLoadAverage()));
    results.machine("java", System.getProperty("java.runtime.version"));
    results.machine("node", Shell.tryRun("?", "node", "--version"));
    lab.postgres().settings().forEach((name, value) -> results.machine("postgres " + name, value));
    results.machine("write and force 8 KiB", milliseconds(force(lab.directory())));
    results.machine("SELECT 1", milliseconds(select(lab.postgres().port())));
    results.machine("SELECT 1 over the network", milliseconds(select(lab.network().port())));
  }

  private static String milliseconds(Spread spread) {
    return "%.3f ms (%.3f–%.3f)".formatted(spread.median(), spread.p10(), spread.p90());
  }

  private static String cpu() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.exists(info)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  private static Spread force(Path directory) throws IOException {
    List<Double> samples = new ArrayList<>();
    Path file = directory.resolve("force");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 200; i++) {
        long begin = System.nanoTime();
        channel.write(ByteBuffer.allocate(8192), 0);
        channel.force(false);
        samples.add((System.nanoTime() - begin) / 1e6);
      }
    }
    Files.delete(file);
    return Spread.of(samples);
  }

  private static Spread select(int port) throws Exception {
    List<Double> samples = new ArrayList<>();
    String url = Postgres.jdbcUrl(port, "postgres");
    try (Connection connection = java.sql.DriverManager.getConnection(url);
        PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
      for (int i = 0; i < 500; i++) {
        samples.add(Rounds.time(statement::executeQuery));
      }
    }
    return Spread.of(samples.subList(100, samples.size()));
  }
}
