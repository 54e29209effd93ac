package dev.steadfast.contract;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/**
 * A pattern of the contract that looks at a bounded number of characters. A pattern such as {@code
 * .*.*.*.*=} would look for years at a long text while its push holds the head's lock. The bound
 * counts steps, not time: every pod gives up at the same place, so an operation has the same
 * verdict everywhere.
 */
final class BoundedPattern implements RegularExpression {
  /** So many looks any text is worth, and some more for each of its characters. */
  private static final int LOOKS = 1_000_000;

  private static final int LOOKS_FOR_EACH = 20;

  private final Pattern pattern;

  BoundedPattern(String pattern) {
    this.pattern =
        Pattern.compile(
            RegularExpressions.replaceLongformCharacterProperties(
                RegularExpressions.replaceDollarAnchors(pattern)));
  }

  /** An error, as an overflow of the stack is: the validator would log an exception each time. */
  static final class TooManyLooksError extends Error {
    TooManyLooksError() {
      super("the pattern looks at too many characters", null, false, false);
    }
  }

  @Override
  public boolean matches(String value) {
    return pattern.matcher(new Counted(value)).find();
  }

  /** A text that may be looked at so often. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long left;

    private Counted(String text) {
      this.text = text;
      this.left = LOOKS + (long) LOOKS_FOR_EACH * text.length();
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new TooManyLooksError();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return text.substring(from, to);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
