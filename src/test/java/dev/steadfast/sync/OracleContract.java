package dev.steadfast.sync;

import com.fasterxml.jackson.databind.JsonNode;
import dev.steadfast.sync.History.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The contracts of the pods in the histories: as the schema that the service loads, and once more
 * as plain code for the oracle.
 */
enum OracleContract {
  STRICT(1, 100, List.of("exercise", "weightKg", "reps", "deleted")),
  RELAXED(1, 1000, List.of("exercise", "weightKg", "reps", "deleted")),
  NEWER(2, 100, List.of("exercise", "weightKg", "reps", "deleted", "note"));

  final int version;
  final int maxReps;
  final List<String> fields;

  OracleContract(int version, int maxReps, List<String> fields) {
    this.version = version;
    this.maxReps = maxReps;
    this.fields = fields;
  }

  String schema() {
    String note = fields.contains("note") ? ",\"note\":{\"type\":\"string\",%1$s}" : "";
    return """
        {"version": %2$d, "required": ["exercise", "weightKg", "reps"], "properties": {
          "exercise": {"type": "string", %1$s},
          "weightKg": {"type": "number", %1$s},
          "reps": {"type": "integer", "maximum": %3$d,
                   "errorMessage": {"type": "не тот вид", "maximum": "повторов больше сотни"}},
          "deleted": {"type": "boolean", %1$s}NOTE},
         "errorMessage": {"required": "нет полей: {0}", "clockAhead": "часы спешат",
           "unstorableText": "не сохранить", "numberOutOfRange": "не число",
           "repeatedField": "дважды"}}
        """
        .replace("NOTE", note)
        .formatted("\"errorMessage\": {\"type\": \"не тот вид\"}", version, maxReps);
  }

  /** The first thing wrong with a row, or null. {@code kinds} has the kinds of values just laid. */
  String violation(JsonNode row, Map<String, Kind> kinds) {
    boolean deleted = row.path("deleted").isBoolean() && row.path("deleted").booleanValue();
    List<String> missing = new ArrayList<>();
    for (String field : List.of("exercise", "weightKg", "reps")) {
      if (!row.has(field)) {
        missing.add(field);
      }
    }
    if (!deleted && !missing.isEmpty()) {
      return "нет полей: " + String.join(", ", missing);
    }
    for (String field : fields) {
      if (row.has(field)) {
        String fault = fault(field, row.get(field), kinds.get(field), deleted);
        if (fault != null) {
          return fault;
        }
      }
    }
    return null;
  }

  private String fault(String field, JsonNode value, Kind kind, boolean deleted) {
    if (kind == Kind.UNSTORABLE) {
      return "не сохранить";
    }
    if (kind == Kind.HUGE) {
      return "не число";
    }
    if (kind == Kind.REPEATED) {
      return "дважды";
    }
    boolean typed =
        switch (field) {
          case "exercise", "note" -> value.isTextual();
          case "deleted" -> value.isBoolean();
          case "weightKg" -> value.isNumber();
          default -> value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
        };
    if (!typed) {
      return "не тот вид";
    }
    boolean tooMany =
        field.equals("reps") && value.decimalValue().compareTo(BigDecimal.valueOf(maxReps)) > 0;
    return tooMany && !deleted ? "повторов больше сотни" : null;
  }
}
