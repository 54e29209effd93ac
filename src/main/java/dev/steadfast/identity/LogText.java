package dev.steadfast.identity;

/** Names from outside as they may stand in a log: nothing in them begins or hides a line. */
public final class LogText {
  private LogText() {}

  /** The name in quotes; whatever is no visible character is escaped. */
  public static String quoted(String name) {
    return '"' + plain(name) + '"';
  }

  /** The name; quotes, and whatever is no visible character, are escaped. */
  public static String plain(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                text.append('\\').appendCodePoint(c);
              } else if (isVisible(c)) {
                text.appendCodePoint(c);
              } else {
                text.append(String.format("\\u{%x}", c));
              }
            });
    return text.toString();
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      // FORMAT holds the marks that turn the direction of writing around.
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
