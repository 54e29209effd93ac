package dev.steadfast.sync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A device as an application would write it: a queue of operations, rows of its own, a cursor and
 * an epoch. It keeps each field with the mark it carries.
 */
final class ModelDevice {

  /** Two ways to treat one's own entries when they come back in a pull. */
  enum Kind {
    /** Skips entries whose name has the device's prefix: it has them already. */
    SKIPS_ITS_OWN,
    /** Lays every entry by its mark and skips none; what is queued lies above. */
    LAYS_ALL
  }

  private record Mark(long at, String opId) implements Comparable<Mark> {
    @Override
    public int compareTo(Mark other) {
      return at != other.at ? Long.compare(at, other.at) : opId.compareTo(other.opId);
    }
  }

  private record Cell(JsonNode value, Mark mark) {}

  private final String prefix;
  private final Kind kind;
  private final List<ObjectNode> queue = new ArrayList<>();

  /** For {@link Kind#SKIPS_ITS_OWN} the rows as shown; otherwise the rows as pulled. */
  private final Map<String, Map<String, Cell>> rows = new TreeMap<>();

  private int counter;
  private long cursor;
  private String epoch;

  ModelDevice(String prefix, Kind kind) {
    this.prefix = prefix;
    this.kind = kind;
  }

  String newRowId() {
    return prefix + "-" + (counter + 1);
  }

  List<String> rowIds() {
    return new ArrayList<>(shown().keySet());
  }

  /** Makes an edit: it is queued and shown at once. Never stamped before what was already seen. */
  ObjectNode edit(String rowId, ObjectNode fields, long clock) {
    String opId = prefix + ":" + ++counter;
    long at = clock;
    Map<String, Cell> row = shown().getOrDefault(rowId, Map.of());
    for (String field : iterable(fields)) {
      Cell cell = row.get(field);
      if (cell != null && new Mark(at, opId).compareTo(cell.mark()) <= 0) {
        at = cell.mark().at() + 1;
      }
    }
    ObjectNode operation = LoopOracle.JSON.createObjectNode();
    operation.put("opId", opId).put("rowId", rowId).put("at", at).set("fields", fields);
    queue.add(operation);
    if (kind == Kind.SKIPS_ITS_OWN) {
      lay(rows, operation);
    }
    return operation;
  }

  int queued() {
    return queue.size();
  }

  /** The first operations of the queue, as a batch. */
  ArrayNode batch(int size) {
    ArrayNode batch = LoopOracle.JSON.createArrayNode();
    queue.subList(0, Math.min(size, queue.size())).forEach(batch::add);
    return batch;
  }

  /** Takes the answer to a push. */
  void answered(JsonNode answer) {
    Map<String, JsonNode> rebuilt = new LinkedHashMap<>();
    for (JsonNode verdict : answer.get("verdicts")) {
      String opId = verdict.get("opId").textValue();
      String rowId = null;
      for (ObjectNode operation : queue) {
        if (operation.get("opId").textValue().equals(opId)) {
          rowId = operation.get("rowId").textValue();
        }
      }
      queue.removeIf(operation -> operation.get("opId").textValue().equals(opId));
      if (verdict.has("row") && rowId != null) {
        rebuilt.put(rowId, verdict.get("row"));
      }
    }
    if (kind == Kind.SKIPS_ITS_OWN) {
      rebuilt.forEach(this::rebuild);
    }
  }

  /** Undoes a rejected operation: the row is the server's, and above it what is still queued. */
  private void rebuild(String rowId, JsonNode entries) {
    rows.remove(rowId);
    entries.forEach(entry -> lay(rows, entry));
    for (ObjectNode operation : queue) {
      if (operation.get("rowId").textValue().equals(rowId)) {
        lay(rows, operation);
      }
    }
  }

  String query(int limit) {
    return cursor + " " + limit + " " + epoch;
  }

  long cursor() {
    return cursor;
  }

  String epoch() {
    return epoch;
  }

  /** Takes a page of a pull; whether there is more. */
  boolean pulled(JsonNode page) {
    for (JsonNode entry : page.get("changes")) {
      boolean own = entry.get("opId").textValue().startsWith(prefix + ":");
      if (kind == Kind.LAYS_ALL || !own) {
        lay(rows, entry);
      }
    }
    cursor = page.get("cursor").longValue();
    epoch = page.path("epoch").textValue();
    return page.get("hasMore").booleanValue();
  }

  /** The rows as the person sees them, without tombstones' names missing: every field counts. */
  Map<String, Map<String, String>> visible() {
    Map<String, Map<String, String>> visible = new TreeMap<>();
    shown()
        .forEach(
            (rowId, cells) -> {
              Map<String, String> fields = new TreeMap<>();
              cells.forEach((field, cell) -> fields.put(field, text(cell.value())));
              visible.put(rowId, fields);
            });
    return visible;
  }

  /** Numbers by value. */
  static String text(JsonNode value) {
    return value.isNumber() ? value.decimalValue().toPlainString() : value.toString();
  }

  private Map<String, Map<String, Cell>> shown() {
    if (kind == Kind.SKIPS_ITS_OWN) {
      return rows;
    }
    Map<String, Map<String, Cell>> shown = new TreeMap<>();
    rows.forEach((rowId, cells) -> shown.put(rowId, new TreeMap<>(cells)));
    queue.forEach(operation -> lay(shown, operation));
    return shown;
  }

  private static void lay(Map<String, Map<String, Cell>> rows, JsonNode entry) {
    Mark mark = new Mark(entry.get("at").longValue(), entry.get("opId").textValue());
    Map<String, Cell> row =
        rows.computeIfAbsent(entry.get("rowId").textValue(), rowId -> new TreeMap<>());
    for (String field : iterable(entry.get("fields"))) {
      Cell cell = row.get(field);
      if (cell == null || mark.compareTo(cell.mark()) > 0) {
        row.put(field, new Cell(entry.get("fields").get(field), mark));
      }
    }
  }

  private static Iterable<String> iterable(JsonNode object) {
    return object::fieldNames;
  }
}
