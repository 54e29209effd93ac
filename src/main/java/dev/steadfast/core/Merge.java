package dev.steadfast.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An operation laid over a copy of a row, field by field: a field changes only if the operation is
 * newer than the field's mark. This is the rule by which all devices of a person end with the same
 * rows, in whatever order the operations reach the server.
 *
 * @param row the resulting row, still under the old number
 * @param moved whether any mark moved
 * @param lost the operation's fields that carry a newer mark already, in contract order
 */
public record Merge(Row row, boolean moved, List<String> lost) {

  /**
   * Lays {@code operation} over {@code row}. Fields that the contract does not name are dropped.
   */
  public static Merge of(Row row, Operation operation, Contract contract) {
    Mark mark = operation.mark();
    Map<String, FieldValue> fields = null;
    Map<String, Mark> marks = null;
    List<String> lost = List.of();
    for (Map.Entry<String, FieldValue> edit : operation.fields().entrySet()) {
      String field = edit.getKey();
      if (!contract.names(field)) {
        continue;
      }
      Mark standing = row.marks().get(field);
      if (standing == null || mark.isNewerThan(standing)) {
        if (fields == null) {
          fields = new LinkedHashMap<>(row.fields());
          marks = new LinkedHashMap<>(row.marks());
        }
        fields.put(field, edit.getValue());
        marks.put(field, mark);
      } else if (standing.isNewerThan(mark)) {
        lost = lost.isEmpty() ? new ArrayList<>() : lost;
        lost.add(field);
      }
    }
    if (lost.size() > 1) {
      lost.sort(
          (a, b) -> Integer.compare(contract.fields().indexOf(a), contract.fields().indexOf(b)));
    }
    boolean moved = fields != null;
    return new Merge(moved ? new Row(fields, marks, row.seq()) : row, moved, lost);
  }
}
