package dev.steadfast.bench;

/**
 * How long a run takes.
 *
 * @param warmUpSeconds for each contender
 * @param rounds how often the contenders take turns at one scenario
 * @param atLeast so many samples each has, however slow it is
 * @param budgetSeconds so long a contender may take for one scenario beyond those
 * @param clientSeconds how long the clients of one turn push
 * @param clientRounds how many turns each contender has at each number of clients
 * @param pullRows how many rows the reader has
 * @param verdicts sizes of the verdict memory, beside an empty one
 * @param starts how often a process is started
 */
record Size(
    String name,
    double warmUpSeconds,
    int rounds,
    int atLeast,
    double budgetSeconds,
    double clientSeconds,
    int clientRounds,
    int pullRows,
    long[] verdicts,
    int starts) {

  static Size of(String name) {
    return switch (name) {
      case "smoke" ->
          new Size(name, 0.5, 2, 1, 0.1, 0.5, 1, 2_000, new long[] {20_000}, 1);
      case "full" ->
          new Size(name, 45, 12, 3, 6, 4, 3, 100_000, new long[] {1_000_000, 10_000_000}, 5);
      default -> throw new IllegalArgumentException("bench.size is smoke or full, not " + name);
    };
  }
}
