package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.FieldValue.Unusable;
import java.math.BigDecimal;

/**
 * One field of the contract, and the refusals that are our own: those that a row must pass even if
 * it is a tombstone.
 *
 * @param name the field
 * @param type {@code string}, {@code number}, {@code integer} or {@code boolean}
 * @param rules its rules, to find words beside them
 */
record Field(String name, String type, JsonNode rules) {
  /** The greatest integer that every JSON implementation can hold. */
  private static final BigDecimal MAX_INTEGER = BigDecimal.valueOf((1L << 53) - 1);

  /** What is wrong with a value, in words; null if it is storable and of the field's type. */
  String fault(FieldValue value, Words words) {
    if (value == Unusable.REPEATED) {
      return words.ours(rules, "repeatedField", name + ": stands twice in one operation");
    }
    if (value == Unusable.UNSTORABLE_TEXT) {
      return words.ours(rules, "unstorableText", name + ": has characters that cannot be stored");
    }
    if (value == Unusable.NUMBER_OUT_OF_RANGE) {
      return words.ours(rules, "numberOutOfRange", name + ": is too long or too large a number");
    }
    if (!hasType(value)) {
      return words.beside(rules, "type", name + ": must be of the type " + type);
    }
    boolean beyond =
        type.equals("integer")
            && ((FieldValue.Number) value).number().abs().compareTo(MAX_INTEGER) > 0;
    return beyond
        ? words.ours(rules, "integerOutOfRange", name + ": is too large an integer")
        : null;
  }

  private boolean hasType(FieldValue value) {
    return switch (type) {
      case "string" -> value instanceof FieldValue.Text;
      case "boolean" -> value instanceof FieldValue.Bool;
      case "number" -> value instanceof FieldValue.Number;
      default -> value instanceof FieldValue.Number number && isIntegral(number.number());
    };
  }

  /** Whether a number is no multiple of what the rules ask for. Exact, whatever its size. */
  boolean breaksMultipleOf(FieldValue value) {
    return value instanceof FieldValue.Number number
        && rules.has("multipleOf")
        && number.number().remainder(rules.get("multipleOf").decimalValue()).signum() != 0;
  }

  static boolean isIntegral(BigDecimal number) {
    return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
  }
}
