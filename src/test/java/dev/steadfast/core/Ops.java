package dev.steadfast.core;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** Operations for the tests, in one line each. */
public final class Ops {
  private Ops() {}

  /** An operation of schema 0. {@code fields} alternates names and values. */
  public static Operation op(String opId, String rowId, long at, Object... fields) {
    return op(0, opId, rowId, at, fields);
  }

  /** An operation of the given schema. */
  public static Operation op(long schema, String opId, String rowId, long at, Object... fields) {
    Map<String, FieldValue> values = fields(fields);
    return new Operation(opId, rowId, values, at, schema, fingerprint(rowId, at, values));
  }

  /** Field values from alternating names and values. */
  public static Map<String, FieldValue> fields(Object... namesAndValues) {
    Map<String, FieldValue> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
    }
    return fields;
  }

  private static FieldValue value(Object value) {
    if (value instanceof String text) {
      return new FieldValue.Text(text);
    }
    if (value instanceof Boolean bool) {
      return FieldValue.Bool.of(bool);
    }
    return value instanceof FieldValue ready
        ? ready
        : new FieldValue.Number(new BigDecimal(value.toString()));
  }

  private static long fingerprint(String rowId, long at, Map<String, FieldValue> fields) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.beginObject();
    fields.forEach(
        (name, value) -> {
          fingerprint.name(name);
          fingerprint.text(value.toString());
        });
    fingerprint.endObject();
    return fingerprint.finish(rowId, at);
  }
}
