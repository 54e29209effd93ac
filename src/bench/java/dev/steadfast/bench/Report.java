package dev.steadfast.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes a run as JSON, and as tables in Markdown. */
final class Report {
  private static final Map<String, String> TITLES =
      Map.of(
          "push", "One client pushes, ms a batch",
          "network", "The same with 0.5 ms each way to the database, ms a batch",
          "clients", "Many clients push batches of 50, operations a second",
          "pull", "A device pulls, ms",
          "growth", "The verdict memory grows, ms a batch",
          "disk", "Bytes on the disk",
          "memory", "Memory, MB",
          "start", "Start, ms");

  private Report() {}

  /** Writes {@code results.json} and {@code results.md}. */
  static void write(Path directory, Results results, Size size, List<Reach.Goal> goals)
      throws Exception {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("size", size.name());
    all.put("machine", results.machine());
    all.put("goals", goals);
    all.put("figures", results.figures());
    all.put("notes", results.notes());
    Files.createDirectories(directory);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(directory.resolve("results.json").toFile(), all);
    Files.writeString(directory.resolve("results.md"), tables(results, size, goals));
  }

  static String tables(Results results, Size size, List<Reach.Goal> goals) {
    StringBuilder text = new StringBuilder("# A run of the benchmark, size " + size.name() + "\n");
    text.append("\nMedians, in brackets the 10th and the 90th percentile.\n");
    text.append("\n## Goals\n\n| what | goal | measured | |\n|---|---|---|---|\n");
    for (Reach.Goal goal : goals) {
      text.append(
          "| %s | %s | %s %s | %s |\n"
              .formatted(
                  goal.what(),
                  goal.goal(),
                  number(goal.measured()),
                  goal.unit(),
                  goal.met() ? "reached" : "**missed**"));
    }
    Set<String> groups = new LinkedHashSet<>();
    results.figures().forEach(figure -> groups.add(figure.group()));
    groups.forEach(group -> table(text, group, results));
    text.append("\n## Machine\n\n| | |\n|---|---|\n");
    results
        .machine()
        .forEach((name, value) -> text.append("| " + name + " | " + value + " |\n"));
    results.notes().forEach(note -> text.append("\n" + note + "\n"));
    return text.toString();
  }

  private static void table(StringBuilder text, String group, Results results) {
    Set<String> contenders = new LinkedHashSet<>();
    Map<String, Map<String, Results.Figure>> rows = new LinkedHashMap<>();
    for (Results.Figure figure : results.figures()) {
      if (figure.group().equals(group)) {
        contenders.add(figure.contender());
        rows.computeIfAbsent(figure.what() + unit(figure), what -> new LinkedHashMap<>())
            .put(figure.contender(), figure);
      }
    }
    text.append("\n## " + TITLES.get(group) + "\n\n| |");
    contenders.forEach(contender -> text.append(" " + contender + " |"));
    text.append("\n|---|" + "--:|".repeat(contenders.size()) + "\n");
    rows.forEach(
        (what, cells) -> {
          text.append("| " + what + " |");
          contenders.forEach(contender -> text.append(" " + cell(cells.get(contender)) + " |"));
          text.append("\n");
        });
  }

  private static String unit(Results.Figure figure) {
    return figure.group().equals("memory") ? ", " + figure.unit() : "";
  }

  private static String cell(Results.Figure figure) {
    if (figure == null) {
      return "–";
    }
    Spread spread = figure.spread();
    String median = number(spread.median());
    return spread.samples() == 1
        ? median
        : median + " (" + number(spread.p10()) + "–" + number(spread.p90()) + ")";
  }

  static String number(double number) {
    if (Double.isNaN(number)) {
      return "not measured";
    }
    return (number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : "%.2f").formatted(number);
  }
}
