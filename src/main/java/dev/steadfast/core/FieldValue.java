package dev.steadfast.core;

import java.math.BigDecimal;

/**
 * The value of one field, as a device sent it or as a row holds it.
 *
 * <p>A row field is a text, a number or a truth value. Whatever else a device may put there is kept
 * just well enough to be refused by name: a bad value rejects its own operation and never the batch
 * around it.
 */
public sealed interface FieldValue {

  /** A string that PostgreSQL can store: no NUL, no unpaired surrogate. */
  record Text(String text) implements FieldValue {}

  /**
   * A number exactly as written. Two spellings of one number ({@code 80} and {@code 80.0}) are two
   * values here: what a person typed is what the other device shows.
   */
  record Number(BigDecimal number) implements FieldValue {}

  /** {@code true} or {@code false}. */
  enum Bool implements FieldValue {
    FALSE,
    TRUE;

    /** The constant that stands for {@code value}. */
    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }
  }

  /**
   * A JSON value that no row contract allows but that a stored row may hold all the same, because
   * someone wrote it there by hand: it is carried along unchanged.
   *
   * @param json the value as JSON text
   */
  record Opaque(String json) implements FieldValue {}

  /** A value that can never enter a row. Only why is kept: the value itself is skipped unread. */
  enum Unusable implements FieldValue {
    /** JSON {@code null}. */
    NULL,
    /** A JSON array. */
    ARRAY,
    /** A JSON object. */
    OBJECT,
    /** A text with NUL or an unpaired surrogate: PostgreSQL cannot store it. */
    UNSTORABLE_TEXT,
    /** A number of more than 40 characters, or neither 0 nor within 1e-300 … 1e300. */
    NUMBER_OUT_OF_RANGE,
    /** The field stands twice in the operation: nobody can say which value was meant. */
    REPEATED
  }
}
