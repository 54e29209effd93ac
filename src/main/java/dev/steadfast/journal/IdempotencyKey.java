package dev.steadfast.journal;

import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import java.util.List;

/**
 * Reads the header {@code Idempotency-Key}. The draft of the IETF makes it a structured string, in
 * quotes (RFC 8941); clients in the wild send it bare. {@code "a"} and {@code a} are one key.
 */
public final class IdempotencyKey {
  /** The header's name. */
  public static final String HEADER = "Idempotency-Key";

  /** The longest key, in characters, without quotes and escapes. */
  public static final int MAX_LENGTH = 120;

  private IdempotencyKey() {}

  /**
   * The key.
   *
   * @param values the values of all headers of this name
   * @throws ProblemException 400 if there is none, there are several, or it has not the form
   */
  public static String of(List<String> values) {
    if (values.isEmpty()) {
      String detail =
          "Send Idempotency-Key: a name of your choice for this one execution, the same on every"
              + " repeat of it.";
      throw new ProblemException(Problem.of(400, "IDEMPOTENCY_KEY_REQUIRED", detail));
    }
    String key = values.size() == 1 ? parse(values.get(0).strip()) : null;
    if (key == null || key.isEmpty() || key.length() > MAX_LENGTH || !isPrintable(key)) {
      String detail =
          "The header Idempotency-Key must be one string of 1 to %d printable ASCII characters, in"
              + " quotes or bare.";
      throw new ProblemException(
          Problem.of(400, "INVALID_PARAMETER", detail.formatted(MAX_LENGTH)));
    }
    return key;
  }

  private static boolean isPrintable(String key) {
    return key.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /** The text of the string, or null if it is quoted wrongly. */
  private static String parse(String value) {
    if (!value.startsWith("\"")) {
      return value;
    }
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        return i == value.length() - 1 ? key.toString() : null;
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
          return null;
        }
      }
      key.append(value.charAt(i));
    }
    return null;
  }
}
