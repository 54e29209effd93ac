package dev.steadfast.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures Steadfast beside what a team would take instead, all in one run. */
final class Bench {
  private Bench() {}

  /**
   * @param arguments the size, {@code smoke} or {@code full}; the directory of the results; a
   *     native binary, or nothing
   */
  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT);
    Size size = Size.of(arguments[0]);
    Path directory = Path.of(arguments[1]);
    boolean hasBinary = arguments.length > 2 && !arguments[2].isBlank();
    Path binary = hasBinary ? Path.of(arguments[2]) : null;
    long begin = System.nanoTime();
    Results results = new Results();
    try (Lab lab = new Lab()) {
      Machine.describe(results, lab);
      Workload workload = new Workload();
      measure(lab, results, size, workload, binary);
      new GrowthScenarios(lab, results, size, workload).run();
      results.machine("minutes", "%.1f".formatted((System.nanoTime() - begin) / 60e9));
    }
    List<Reach.Goal> goals = Reach.of(results, size);
    Report.write(directory, results, size, goals);
    Chart.draw(directory.resolve("results.json"), directory.resolve("results.svg"));
    System.out.println(Report.tables(results, size, goals));
    System.out.println("Written to " + directory.toAbsolutePath());
    // The pools of closed connections keep the JVM no longer.
    System.exit(0);
  }

  private static void measure(
      Lab lab, Results results, Size size, Workload workload, Path binary) throws Exception {
    List<Contender> near = new ArrayList<>();
    List<Contender> far = new ArrayList<>();
    try {
      contenders(lab, near, "", lab.postgres().port(), binary);
      near.add(new Actual(lab));
      near.add(new Pouch(lab));
      contenders(lab, far, " +0.5ms", lab.network().port(), binary);
      MemoryScenario memory = new MemoryScenario(results, size, workload);
      List<Steadfast> services = services(near);
      for (Steadfast service : services) {
        memory.idle(service);
      }
      PushScenarios pushes = new PushScenarios(results, size, workload);
      pushes.warmUp(near);
      pushes.warmUp(far);
      pushes.run("push", near);
      pushes.runSome("network", far);
      new ClientScenarios(results, size, workload).run(near);
      for (Steadfast service : services) {
        memory.load(service);
      }
      new PullScenarios(results, size, workload).run(near);
      StartScenario.run(results, size, near);
    } finally {
      for (Contender contender : near) {
        contender.close();
      }
      for (Contender contender : far) {
        contender.close();
      }
    }
  }

  private static List<Steadfast> services(List<Contender> contenders) {
    return contenders.stream()
        .filter(Steadfast.class::isInstance)
        .map(Steadfast.class::cast)
        .toList();
  }

  /** Those who work on PostgreSQL, each with a database of its own. */
  private static void contenders(
      Lab lab, List<Contender> all, String suffix, int port, Path binary) throws Exception {
    String ending = suffix.isEmpty() ? "" : "_far";
    for (String database : List.of("floor", "steadfast", "native", "loop", "parse")) {
      lab.postgres().create(database + ending);
    }
    // The service makes the tables that the floor uses.
    new Steadfast("migration", lab, null, "floor" + ending, port).close();
    all.add(new Floor("floor" + suffix, lab, "floor" + ending, port));
    all.add(new Steadfast("steadfast" + suffix, lab, null, "steadfast" + ending, port));
    if (binary != null) {
      all.add(new Steadfast("native" + suffix, lab, binary, "native" + ending, port));
    }
    all.add(new Loop("loop" + suffix, lab, "loop" + ending, port));
    all.add(new Parse("parse" + suffix, lab, "parse" + ending, port));
  }
}
