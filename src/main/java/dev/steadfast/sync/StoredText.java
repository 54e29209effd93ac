package dev.steadfast.sync;

/** What PostgreSQL can store as text, and what a name may consist of. */
final class StoredText {
  /** The longest {@code opId} or {@code rowId}, in UTF-16 units. */
  static final int MAX_NAME = 200;

  private StoredText() {}

  /** Whether PostgreSQL can store the text: it has neither NUL nor an unpaired surrogate. */
  static boolean isStorable(String text) {
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

  /** What is wrong with a name, or null if nothing is. */
  static String nameFault(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      return "must have 1 to " + MAX_NAME + " UTF-16 units, has " + name.length();
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return "must not contain a control character";
    }
    return isStorable(name) ? null : "must not contain an unpaired surrogate";
  }
}
