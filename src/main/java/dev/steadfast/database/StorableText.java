package dev.steadfast.database;

/** What PostgreSQL can store as text, and what a name that becomes part of a key may be. */
public final class StorableText {
  /** The most UTF-16 units of the name of a person, an operation or a row. */
  public static final int MAX_NAME = 200;

  private StorableText() {}

  /** Whether PostgreSQL can store the text: it has neither NUL nor an unpaired surrogate. */
  public static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /**
   * What is wrong with a name, or null if nothing is.
   *
   * @param max the most UTF-16 units it may have
   */
  public static String nameFault(String name, int max) {
    if (name.isEmpty() || name.length() > max) {
      return "must have 1 to " + max + " UTF-16 units, has " + name.length();
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return "must not contain a control character";
    }
    return isStorable(name) ? null : "must not contain an unpaired surrogate";
  }
}
