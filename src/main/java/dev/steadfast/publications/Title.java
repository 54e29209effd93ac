package dev.steadfast.publications;

import dev.steadfast.database.StorableText;

/** What a title may be. */
final class Title {
  static final int MAX_CODE_POINTS = 120;

  private Title() {}

  /** The title without white space at its ends, in Unicode's sense. */
  static String strip(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isWhite(text.charAt(start))) {
      start++;
    }
    while (end > start && isWhite(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  // All of Unicode's white space lies in the basic plane. NEL is neither of Java's two kinds.
  private static boolean isWhite(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\u0085';
  }

  /** What is wrong with a stripped title, or null if nothing is. */
  static String fault(String title) {
    int length = title.codePointCount(0, title.length());
    if (length < 1 || length > MAX_CODE_POINTS) {
      return "must have 1 to " + MAX_CODE_POINTS + " characters, white space at its ends aside";
    }
    return StorableText.isStorable(title)
        ? null
        : "must contain neither NUL nor an unpaired surrogate";
  }
}
