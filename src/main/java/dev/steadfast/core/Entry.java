package dev.steadfast.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Part of a row as a device reads it: the fields that carry one mark.
 *
 * @param rowId the row
 * @param mark the operation that last won these fields
 * @param fields the values, fields of the contract first, in its order
 * @param seq the row's number
 */
public record Entry(String rowId, Mark mark, Map<String, FieldValue> fields, long seq) {

  /** The row's entries, ordered by mark. */
  public static List<Entry> of(String rowId, Row row, Contract contract) {
    Map<Mark, Map<String, FieldValue>> byMark = new TreeMap<>();
    for (String field : inOrder(row, contract)) {
      byMark
          .computeIfAbsent(row.marks().get(field), mark -> new LinkedHashMap<>())
          .put(field, row.fields().get(field));
    }
    List<Entry> entries = new ArrayList<>(byMark.size());
    byMark.forEach((mark, fields) -> entries.add(new Entry(rowId, mark, fields, row.seq())));
    return entries;
  }

  private static List<String> inOrder(Row row, Contract contract) {
    List<String> names = new ArrayList<>(row.marks().size());
    for (String field : contract.fields()) {
      if (row.marks().containsKey(field)) {
        names.add(field);
      }
    }
    row.marks().keySet().stream()
        .filter(field -> !contract.names(field))
        .sorted(Comparator.naturalOrder())
        .forEach(names::add);
    return names;
  }
}
