package dev.steadfast.core;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The training diary's rules in plain Java, as the tests of judging need them: independent of any
 * JSON Schema, and with knobs for the rollouts that the scenes are about.
 *
 * @param version the newest schema
 * @param fields the fields that exist
 * @param maxReps the greatest number of repetitions allowed
 */
public record DiaryRules(long version, List<String> fields, int maxReps) implements Contract {

  /** The rules of the seed. */
  public static final DiaryRules STRICT =
      new DiaryRules(1, List.of("exercise", "weightKg", "reps", "deleted"), 100);

  /** The seed's softened rules. */
  public static final DiaryRules RELAXED = STRICT.withMaxReps(1000);

  public DiaryRules withMaxReps(int max) {
    return new DiaryRules(version, fields, max);
  }

  @Override
  public boolean names(String field) {
    return fields.contains(field);
  }

  @Override
  public Optional<Refusal> violation(Map<String, FieldValue> row) {
    boolean deleted = row.get(DELETED) == FieldValue.Bool.TRUE;
    List<String> missing = new ArrayList<>(List.of("exercise", "weightKg", "reps"));
    missing.removeAll(row.keySet());
    missing.retainAll(fields);
    if (!deleted && !missing.isEmpty()) {
      return Optional.of(contract("нет полей: " + String.join(", ", missing)));
    }
    for (String field : fields) {
      FieldValue value = row.get(field);
      if (value != null && !hasType(field, value)) {
        return Optional.of(contract(field + ": не тот вид значения"));
      }
      if (!deleted && field.equals("reps") && tooMany(value)) {
        return Optional.of(contract("повторов больше сотни"));
      }
    }
    return Optional.empty();
  }

  private boolean tooMany(FieldValue reps) {
    return reps instanceof FieldValue.Number number
        && number.number().compareTo(BigDecimal.valueOf(maxReps)) > 0;
  }

  private static boolean hasType(String field, FieldValue value) {
    return switch (field) {
      case "exercise", "note" -> value instanceof FieldValue.Text;
      case DELETED -> value instanceof FieldValue.Bool;
      default -> value instanceof FieldValue.Number;
    };
  }

  private static Refusal contract(String reason) {
    return new Refusal(Refusal.CONTRACT, reason);
  }

  @Override
  public Refusal clockAhead() {
    return new Refusal(Refusal.CLOCK_AHEAD, "часы устройства спешат");
  }

  @Override
  public Refusal rowTooLarge() {
    return new Refusal(Refusal.ROW_TOO_LARGE, "запись слишком велика");
  }
}
