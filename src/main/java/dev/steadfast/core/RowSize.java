package dev.steadfast.core;

import java.util.Map;

/**
 * How large a row is: the UTF-8 bytes of its fields and its marks as compact JSON, without building
 * that JSON. Only what JSON demands is escaped.
 */
public final class RowSize {
  private static final int WORST_BYTES_PER_CHARACTER = 6;

  private RowSize() {}

  /** Whether the row has at most {@code maxBytes} bytes. */
  public static boolean fits(Row row, int maxBytes) {
    return roughly(row) <= maxBytes || of(row) <= maxBytes;
  }

  /** The exact size in bytes. */
  public static long of(Row row) {
    long size = braces(row.fields().size()) + braces(row.marks().size());
    for (Map.Entry<String, FieldValue> field : row.fields().entrySet()) {
      size += quoted(field.getKey()) + 1 + of(field.getValue());
    }
    for (Map.Entry<String, Mark> mark : row.marks().entrySet()) {
      size += quoted(mark.getKey()) + 1 + of(mark.getValue());
    }
    return size;
  }

  /** An upper bound that reads no text: enough for nearly every row. */
  private static long roughly(Row row) {
    long size = braces(row.fields().size()) + braces(row.marks().size());
    for (Map.Entry<String, FieldValue> field : row.fields().entrySet()) {
      long value =
          field.getValue() instanceof FieldValue.Text text
              ? 2 + (long) WORST_BYTES_PER_CHARACTER * text.text().length()
              : of(field.getValue());
      size += 3 + (long) WORST_BYTES_PER_CHARACTER * field.getKey().length() + value;
    }
    for (Map.Entry<String, Mark> mark : row.marks().entrySet()) {
      long characters = mark.getKey().length() + mark.getValue().opId().length();
      size += 40 + WORST_BYTES_PER_CHARACTER * characters;
    }
    return size;
  }

  private static long braces(int members) {
    return 2 + Math.max(0, members - 1);
  }

  private static long of(FieldValue value) {
    if (value instanceof FieldValue.Text text) {
      return quoted(text.text());
    }
    if (value instanceof FieldValue.Number number) {
      return DecimalText.json(number.number()).length();
    }
    if (value instanceof FieldValue.Bool bool) {
      return bool == FieldValue.Bool.TRUE ? 4 : 5;
    }
    if (value instanceof FieldValue.Opaque opaque) {
      return utf8(opaque.json(), false);
    }
    return 4;
  }

  private static long of(Mark mark) {
    return "{\"at\":,\"opId\":}".length() + Long.toString(mark.at()).length() + quoted(mark.opId());
  }

  private static long quoted(String text) {
    return 2 + utf8(text, true);
  }

  private static long utf8(String text, boolean escaped) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x800) {
        bytes += Character.isSurrogate(c) ? 2 : 3;
      } else if (c >= 0x80) {
        bytes += 2;
      } else {
        bytes += escaped ? escapedAscii(c) : 1;
      }
    }
    return bytes;
  }

  private static int escapedAscii(char c) {
    if (c == '"' || c == '\\') {
      return 2;
    }
    if (c >= ' ') {
      return 1;
    }
    return c == '\b' || c == '\t' || c == '\n' || c == '\f' || c == '\r' ? 2 : 6;
  }
}
