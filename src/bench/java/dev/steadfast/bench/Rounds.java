package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets contenders take turns at one thing, so that the noise of a machine hits all alike. */
final class Rounds {
  private final Results results;
  private final Size size;

  Rounds(Results results, Size size) {
    this.results = results;
    this.size = size;
  }

  /** One sample in milliseconds. */
  interface Turn {
    double milliseconds() throws Exception;
  }

  /** What takes time, and is all that is measured. */
  interface Work {
    void run() throws Exception;
  }

  static double time(Work work) throws Exception {
    long begin = System.nanoTime();
    work.run();
    return (System.nanoTime() - begin) / 1e6;
  }

  /**
   * Measures.
   *
   * @param rounds how often each has its turn
   * @param burst how many samples a turn has
   * @param turns by contender
   */
  void run(String group, String what, int rounds, int burst, Map<String, Turn> turns)
      throws Exception {
    List<String> names = new ArrayList<>(turns.keySet());
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    names.forEach(name -> samples.put(name, new ArrayList<>()));
    Map<String, Long> spent = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < names.size(); i++) {
        String name = names.get((i + round) % names.size());
        List<Double> all = samples.get(name);
        for (int k = 0; k < burst; k++) {
          boolean hasTime = spent.getOrDefault(name, 0L) < size.budgetSeconds() * 1e9;
          if (all.size() < size.atLeast() || hasTime) {
            long begin = System.nanoTime();
            all.add(turns.get(name).milliseconds());
            spent.merge(name, System.nanoTime() - begin, Long::sum);
          }
        }
      }
    }
    samples.forEach((name, all) -> results.add(group, what, name, "ms", all));
  }
}
