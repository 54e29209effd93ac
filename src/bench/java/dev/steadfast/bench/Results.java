package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The figures of a run, in the order in which they were found. */
final class Results {

  /**
   * A figure.
   *
   * @param group the table it belongs to
   * @param what the row of the table
   * @param contender the column
   */
  record Figure(String group, String what, String contender, String unit, Spread spread) {}

  private final Map<String, String> machine = new LinkedHashMap<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  void machine(String name, Object value) {
    machine.put(name, String.valueOf(value));
  }

  void add(String group, String what, String contender, String unit, Collection<Double> samples) {
    if (!samples.isEmpty()) {
      Figure figure = new Figure(group, what, contender, unit, Spread.of(samples));
      figures.add(figure);
      System.out.printf(
          "%-10s %-34s %-18s %12.2f %s%n",
          group, what, contender, figure.spread().median(), unit);
    }
  }

  void note(String note) {
    notes.add(note);
    System.out.println("note: " + note);
  }

  Map<String, String> machine() {
    return machine;
  }

  List<Figure> figures() {
    return figures;
  }

  List<String> notes() {
    return notes;
  }

  /** A median, if it was measured. */
  OptionalDouble median(String group, String what, String contender) {
    return figures.stream()
        .filter(figure -> figure.group().equals(group))
        .filter(figure -> figure.what().equals(what))
        .filter(figure -> figure.contender().equals(contender))
        .mapToDouble(figure -> figure.spread().median())
        .findFirst();
  }
}
