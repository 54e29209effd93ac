package dev.steadfast.bench;

import dev.steadfast.bench.Workload.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One client that pushes: new, repeated and refused operations, in batches of several sizes. */
final class PushScenarios {
  static final int[] SIZES = {1, 10, 100, 1_000};
  private static final int WARM_PEOPLE = 4;

  private final Results results;
  private final Size size;
  private final Workload workload;

  PushScenarios(Results results, Size size, Workload workload) {
    this.results = results;
    this.size = size;
    this.workload = workload;
  }

  static String name(int operations, Expect expect, Shape shape) {
    String what = "%,d %s".formatted(operations, expect.words);
    return expect == Expect.NEW ? what + ", " + shape.words : what;
  }

  /**
   * Everything that is measured later, by several people at once: what compiles while it runs is to
   * see each path some thousand times.
   */
  void warmUp(List<Contender> contenders) throws Exception {
    for (Contender contender : contenders) {
      long end = System.nanoTime() + (long) (size.warmUpSeconds() * 1e9);
      ExecutorService people = Executors.newFixedThreadPool(WARM_PEOPLE);
      try {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < WARM_PEOPLE; i++) {
          String user = "warm" + i;
          contender.admit(user);
          push(contender, user, workload.diary(user), Expect.NEW);
          all.add(
              people.submit(
                  () -> {
                    warmUp(contender, user, end);
                    return null;
                  }));
        }
        for (Future<?> each : all) {
          each.get();
        }
      } finally {
        people.shutdownNow();
      }
    }
  }

  private void warmUp(Contender contender, String user, long end) throws Exception {
    for (int i = 0; System.nanoTime() < end; i++) {
      int operations = i % 50 == 49 ? 1_000 : SIZES[i % 3];
      Shape shape = Shape.values()[i / 3 % 3];
      List<Op> batch = workload.batch(user, operations, shape);
      push(contender, user, batch, Expect.NEW);
      if (shape == Shape.OWN) {
        push(contender, user, batch, Expect.REPEATED);
      }
      if (contender.can(Expect.REFUSED)) {
        push(contender, user, workload.refused(user, operations), Expect.REFUSED);
      }
    }
  }

  static double push(Contender contender, String user, List<Op> batch, Expect expect)
      throws Exception {
    Contender.Push push = contender.push(user, batch, expect);
    double milliseconds = Rounds.time(push::send);
    push.check();
    return milliseconds;
  }

  /** Everything that the issue of pushes asks for. */
  void run(String group, List<Contender> contenders) throws Exception {
    for (int operations : SIZES) {
      for (Shape shape : Shape.values()) {
        if (operations > 1 || shape != Shape.FIFTY) {
          fresh(group, operations, shape, contenders);
        }
      }
    }
    for (int operations : SIZES) {
      repeated(group, operations, contenders);
      refused(group, operations, contenders);
    }
  }

  /** The few that show what a network costs. */
  void runSome(String group, List<Contender> contenders) throws Exception {
    for (int operations : SIZES) {
      fresh(group, operations, Shape.OWN, contenders);
    }
    repeated(group, 1_000, contenders);
  }

  private void fresh(String group, int operations, Shape shape, List<Contender> contenders)
      throws Exception {
    String user = "p" + operations + shape.name().toLowerCase(java.util.Locale.ROOT);
    Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      contender.admit(user);
      push(contender, user, workload.diary(user), Expect.NEW);
      turns.put(
          contender.name(),
          () -> push(contender, user, workload.batch(user, operations, shape), Expect.NEW));
    }
    measure(group, name(operations, Expect.NEW, shape), operations, turns);
  }

  private void repeated(String group, int operations, List<Contender> contenders)
      throws Exception {
    String user = "repeats" + operations;
    List<Op> batch = workload.batch(user, operations, Shape.OWN);
    Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      contender.admit(user);
      push(contender, user, batch, Expect.NEW);
      turns.put(contender.name(), () -> push(contender, user, batch, Expect.REPEATED));
    }
    measure(group, name(operations, Expect.REPEATED, Shape.OWN), operations, turns);
  }

  private void refused(String group, int operations, List<Contender> contenders)
      throws Exception {
    String user = "refused" + operations;
    Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      if (contender.can(Expect.REFUSED)) {
        contender.admit(user);
        turns.put(
            contender.name(),
            () -> push(contender, user, workload.refused(user, operations), Expect.REFUSED));
      }
    }
    measure(group, name(operations, Expect.REFUSED, Shape.OWN), operations, turns);
  }

  private void measure(String group, String what, int operations, Map<String, Rounds.Turn> turns)
      throws Exception {
    int burst = operations == 1 ? 10 : operations == 10 ? 5 : operations == 100 ? 3 : 1;
    new Rounds(results, size).run(group, what, size.rounds(), burst, turns);
  }
}
