package dev.steadfast.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A person's rows as the rules make them, one operation after another, kept in memory. */
final class ModelRows {
  /** How many repetitions every version of the contract allows. */
  private static final int FEW = 100;

  /** What the rules say: why not, or null; and which fields lost to newer ones. */
  record Judgement(String reason, List<String> lost) {}

  private record Cell(JsonNode value, long at, String opId) {
    boolean isOlderThan(long otherAt, String otherOpId) {
      return at != otherAt ? at < otherAt : opId.compareTo(otherOpId) < 0;
    }
  }

  private final Map<String, Map<String, Cell>> rows = new TreeMap<>();
  private final Map<String, Long> seqs = new TreeMap<>();
  private final int most;
  private long seq;

  /**
   * @param most how many repetitions some version of the contract allows
   */
  ModelRows(int most) {
    this.most = most;
  }

  /** How many operations have moved a mark. */
  long seq() {
    return seq;
  }

  boolean has(String rowId) {
    return rows.containsKey(rowId);
  }

  /**
   * Judges an operation.
   *
   * @param accepted what the service said: during a change of the contract the number of
   *     repetitions may have been judged by either version, and whatever was said first stays
   */
  Judgement judge(JsonNode operation, boolean accepted) {
    String rowId = operation.get("rowId").textValue();
    String opId = operation.get("opId").textValue();
    long at = operation.get("at").longValue();
    Map<String, Cell> row = new TreeMap<>(rows.getOrDefault(rowId, Map.of()));
    List<String> lost = new ArrayList<>();
    boolean moved = false;
    for (String field : List.of("note", "exercise", "weightKg", "reps", "deleted")) {
      JsonNode value = operation.get("fields").get(field);
      if (value != null && (!row.containsKey(field) || row.get(field).isOlderThan(at, opId))) {
        row.put(field, new Cell(value, at, opId));
        moved = true;
      } else if (value != null) {
        lost.add(field);
      }
    }
    if (moved || !has(rowId)) {
      String reason = violation(row, accepted);
      if (reason != null) {
        return new Judgement(reason, List.of());
      }
    }
    if (moved) {
      rows.put(rowId, row);
      seqs.put(rowId, ++seq);
    }
    return new Judgement(null, lost);
  }

  private String violation(Map<String, Cell> row, boolean accepted) {
    if (row.containsKey("deleted") && row.get("deleted").value().booleanValue()) {
      return null;
    }
    List<String> missing =
        List.of("exercise", "weightKg", "reps").stream()
            .filter(field -> !row.containsKey(field))
            .toList();
    if (!missing.isEmpty()) {
      return "нет полей: " + String.join(", ", missing);
    }
    int reps = row.get("reps").value().intValue();
    return reps <= FEW || (reps <= most && accepted) ? null : "повторов больше сотни";
  }

  /** Every field of every row in a line: {@code row#seq field=value by operation at time}. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    rows.forEach(
        (rowId, row) ->
            row.forEach(
                (field, cell) ->
                    lines.add(
                        line(
                            rowId, seqs.get(rowId), field, cell.value(), cell.opId(), cell.at()))));
    return lines.stream().sorted().toList();
  }

  static String line(String rowId, long seq, String field, JsonNode value, String opId, long at) {
    return "%s#%d %s=%s by %s at %d".formatted(rowId, seq, field, value, opId, at);
  }
}
