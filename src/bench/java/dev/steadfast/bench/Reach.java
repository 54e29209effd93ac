package dev.steadfast.bench;

import dev.steadfast.bench.Workload.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** What Steadfast wants to reach, against what a run found. All are ratios within that run. */
final class Reach {
  private static final String SERVICE = "steadfast";
  private static final String SERVICE_FAR = "steadfast +0.5ms";

  /**
   * A goal.
   *
   * @param measured what the run found; NaN if it did not measure it
   * @param met whether the goal is reached
   */
  record Goal(String what, String goal, double measured, String unit, boolean met) {}

  private final Results results;
  private final Size size;
  private final List<Goal> goals = new ArrayList<>();

  private Reach(Results results, Size size) {
    this.results = results;
    this.size = size;
  }

  static List<Goal> of(Results results, Size size) {
    Reach reach = new Reach(results, size);
    reach.pushes();
    reach.clients();
    reach.growth();
    reach.pulls();
    reach.memory();
    return reach.goals;
  }

  private void pushes() {
    String thousand = PushScenarios.name(1_000, Expect.NEW, Shape.OWN);
    String repeats = PushScenarios.name(1_000, Expect.REPEATED, Shape.OWN);
    String one = PushScenarios.name(1, Expect.NEW, Shape.OWN);
    atMost("1,000 new operations against the floor", 1.5, ratio("push", thousand, SERVICE, "floor"));
    atLeast("the loop against 1,000 new", 20, ratio("push", thousand, "loop", SERVICE));
    atLeast(
        "the same with 0.5 ms of network",
        60,
        ratio("network", thousand, "loop +0.5ms", SERVICE_FAR));
    double repeated = median("push", repeats, SERVICE);
    atMost("1,000 repeats against 1,000 new", 0.5, repeated / median("push", thousand, SERVICE));
    atMost("one operation against the floor", 2, ratio("push", one, SERVICE, "floor"));
  }

  private void clients() {
    best("64 clients against the best peer", List.of("actual", "pouch", "parse"));
    best("64 clients against the best durable peer", List.of("actual", "parse"));
  }

  private void best(String what, List<String> peers) {
    String many = ClientScenarios.name(64);
    String best = Collections.max(peers, Comparator.comparing(p -> median("clients", many, p)));
    atLeast(what + ", " + best, 5, ratio("clients", many, SERVICE, best));
  }

  private void growth() {
    String thousand = PushScenarios.name(1_000, Expect.NEW, Shape.OWN);
    long most = size.verdicts()[size.verdicts().length - 1];
    atMost(
        "1,000 new at %,d verdicts against none".formatted(most),
        1.25,
        ratio("growth", thousand, GrowthScenarios.name(most), GrowthScenarios.name(0)));
  }

  private void pulls() {
    double many = median("pull", PullScenarios.nothing(size), SERVICE);
    double few = median("pull", PullScenarios.NOTHING + " of 50 rows", SERVICE);
    atMost("pull of nothing, many rows against 50", 1.25, many / few);
  }

  private void memory() {
    OptionalDouble rate = results.median("clients", "64 clients, batches of 1,000", SERVICE);
    double served = rate.orElse(Double.NaN);
    goal("64 clients × 1,000 in a heap of 128 MiB", "are served", served, "ops/s", served > 0);
    double bytes =
        results.figures().stream()
            .filter(figure -> figure.what().startsWith("a verdict of"))
            .mapToDouble(figure -> figure.spread().median())
            .max()
            .orElse(Double.NaN);
    goal("a verdict with its index", "at most 200 B", bytes, "B", bytes <= 200);
  }

  private double ratio(String group, String what, String of, String to) {
    return median(group, what, of) / median(group, what, to);
  }

  private double median(String group, String what, String contender) {
    return results.median(group, what, contender).orElse(Double.NaN);
  }

  private void atMost(String what, double limit, double measured) {
    goal(what, "at most %s ×".formatted(plain(limit)), measured, "×", measured <= limit);
  }

  private void atLeast(String what, double limit, double measured) {
    goal(what, "at least %s ×".formatted(plain(limit)), measured, "×", measured >= limit);
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private void goal(String what, String goal, double measured, String unit, boolean met) {
    goals.add(new Goal(what, goal, measured, unit, met));
  }
}
