package dev.steadfast.core;

import java.util.Map;

/**
 * A row as the server holds it.
 *
 * @param fields the values, by field name; fields that this server's contract does not name stay
 * @param marks one mark per field
 * @param seq the number of the last operation that moved a mark; 0 for a row not written yet
 */
public record Row(Map<String, FieldValue> fields, Map<String, Mark> marks, long seq) {

  /** What an operation on a row that does not exist is laid over. */
  public static final Row ABSENT = new Row(Map.of(), Map.of(), 0);

  /** Whether the row has been written, here or earlier. */
  public boolean exists() {
    return seq > 0;
  }

  /** The same row under a number. */
  public Row numbered(long number) {
    return new Row(fields, marks, number);
  }
}
