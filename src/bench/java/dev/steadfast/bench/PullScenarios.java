package dev.steadfast.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader with many rows: how it reads all of them, or nothing, and what they take on the disk. */
final class PullScenarios {
  static final String NOTHING = "nothing new";
  private static final int BATCH = 500;
  private static final double LOAD_SECONDS = 45;

  private final Results results;
  private final Size size;
  private final Workload workload;

  PullScenarios(Results results, Size size, Workload workload) {
    this.results = results;
    this.size = size;
    this.workload = workload;
  }

  void run(List<Contender> contenders) throws Exception {
    Map<String, Rounds.Turn> all = new LinkedHashMap<>();
    Map<String, Rounds.Turn> nothing = new LinkedHashMap<>();
    Map<String, Rounds.Turn> nothingOfFew = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      int rows = load(contender);
      contender.admit("newcomer");
      PushScenarios.push(contender, "newcomer", workload.diary("newcomer"), Expect.NEW);
      warmUp(contender);
      all.put(
          contender.name(),
          () -> {
            long[] read = new long[1];
            double time = Rounds.time(() -> read[0] = contender.pullAll("reader"));
            require(contender, read[0] == rows, read[0] + " rows instead of " + rows);
            return time * size.pullRows() / rows;
          });
      nothing.put(contender.name(), () -> pullNothing(contender, "reader"));
      nothingOfFew.put(contender.name(), () -> pullNothing(contender, "newcomer"));
    }
    Rounds rounds = new Rounds(results, size);
    rounds.run("pull", all(size), size.rounds(), 1, all);
    rounds.run("pull", nothing(size), size.rounds(), 10, nothing);
    rounds.run("pull", NOTHING + " of 50 rows", size.rounds(), 10, nothingOfFew);
  }

  static String all(Size size) {
    return "%,d rows from 0".formatted(size.pullRows());
  }

  static String nothing(Size size) {
    return "%s of %,d rows".formatted(NOTHING, size.pullRows());
  }

  private static double pullNothing(Contender contender, String user) throws Exception {
    return Rounds.time(
        () -> require(contender, contender.pullNothing(user) == 0, "something where nothing is"));
  }

  private static void require(Contender contender, boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(contender.name() + ": " + otherwise);
    }
  }

  private void warmUp(Contender contender) throws Exception {
    contender.pullAll("newcomer");
    long end = System.nanoTime() + (long) (size.warmUpSeconds() * 1e9 / 5);
    do {
      pullNothing(contender, "newcomer");
      pullNothing(contender, "reader");
    } while (System.nanoTime() < end);
  }

  /** Gives the reader its rows; as many as a slow contender takes in its time. */
  private int load(Contender contender) throws Exception {
    contender.admit("reader");
    long before = contender.bytesOnDisk();
    int rows = 0;
    long end = System.nanoTime() + (long) (LOAD_SECONDS * 1e9);
    while (rows < size.pullRows() && System.nanoTime() < end) {
      List<Op> batch = workload.batch("reader", BATCH, Workload.Shape.OWN);
      PushScenarios.push(contender, "reader", batch, Expect.NEW);
      rows += BATCH;
    }
    if (rows < size.pullRows()) {
      results.note(
          "%s took %,d rows in %.0f s: its pull of all is extrapolated from those"
              .formatted(contender.name(), rows, LOAD_SECONDS));
    }
    double bytes = (contender.bytesOnDisk() - before) / (double) rows;
    results.add("disk", "an operation on a row of its own", contender.name(), "B", List.of(bytes));
    contender.pullAll("reader");
    return rows;
  }
}
