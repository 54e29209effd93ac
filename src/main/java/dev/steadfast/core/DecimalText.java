package dev.steadfast.core;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A JSON number token taken apart as text: what {@link BigDecimal#stripTrailingZeros} would give,
 * at a cost that is linear in the token. A hostile token ({@code 1e999999999}, a million digits) is
 * neither expanded nor multiplied out.
 *
 * @param digits the unscaled value: {@code 0}, or a sign if negative and digits without leading or
 *     trailing zeros
 * @param scale the number of decimal places, negative for trailing zeros; 0 for zero
 * @param fits whether {@code scale} could be computed; false for exponents of absurd length
 */
public record DecimalText(String digits, long scale, boolean fits) {

  /** A number token may have this many characters; a longer one rejects its operation. */
  public static final int MAX_TOKEN_CHARACTERS = 40;

  private static final int MAX_EXPONENT = 300;
  private static final int MAX_EXPONENT_CHARACTERS = 18;

  /** Takes apart a token that follows the grammar of JSON numbers. */
  public static DecimalText of(CharSequence token) {
    int length = token.length();
    boolean negative = token.charAt(0) == '-';
    StringBuilder digits = new StringBuilder(length);
    long places = 0;
    boolean afterPoint = false;
    int i = negative ? 1 : 0;
    for (; i < length; i++) {
      char c = token.charAt(i);
      if (c == '.') {
        afterPoint = true;
      } else if (c == 'e' || c == 'E') {
        break;
      } else {
        digits.append(c);
        places += afterPoint ? 1 : 0;
      }
    }
    int first = 0;
    int end = digits.length();
    while (first < end && digits.charAt(first) == '0') {
      first++;
    }
    if (first == end) {
      return new DecimalText("0", 0, true);
    }
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    long scale = places - (digits.length() - end);
    String unscaled = (negative ? "-" : "") + digits.substring(first, end);
    if (i == length) {
      return new DecimalText(unscaled, scale, true);
    }
    String exponent = exponentWithoutZeros(token, i + 1);
    return exponent.length() > MAX_EXPONENT_CHARACTERS
        ? new DecimalText(unscaled, scale, false)
        : new DecimalText(unscaled, scale - Long.parseLong(exponent), true);
  }

  private static String exponentWithoutZeros(CharSequence token, int start) {
    int i = start;
    boolean negative = token.charAt(i) == '-';
    if (negative || token.charAt(i) == '+') {
      i++;
    }
    while (i < token.length() - 1 && token.charAt(i) == '0') {
      i++;
    }
    return (negative ? "-" : "") + token.subSequence(i, token.length());
  }

  /** Whether the number is 0 or lies within 1e-300 … 1e300, with either sign. */
  public boolean isInRange() {
    if (!fits) {
      return false;
    }
    if (digits.equals("0")) {
      return true;
    }
    int count = digits.charAt(0) == '-' ? digits.length() - 1 : digits.length();
    long exponent = count - 1 - scale;
    boolean isPowerOfTen = count == 1 && digits.charAt(digits.length() - 1) == '1';
    return exponent >= -MAX_EXPONENT
        && (exponent < MAX_EXPONENT || exponent == MAX_EXPONENT && isPowerOfTen);
  }

  /**
   * The field value that a token stands for. The decimal keeps its places as sent ({@code 80.0}
   * stays {@code 80.0}), as PostgreSQL keeps them.
   */
  public static FieldValue value(String token) {
    if (token.length() > MAX_TOKEN_CHARACTERS) {
      return FieldValue.Unusable.NUMBER_OUT_OF_RANGE;
    }
    DecimalText decimal = of(token);
    if (!decimal.isInRange()) {
      return FieldValue.Unusable.NUMBER_OUT_OF_RANGE;
    }
    boolean zeroWithExponent = decimal.digits.equals("0") && hasExponent(token);
    return new FieldValue.Number(
        zeroWithExponent ? BigDecimal.ZERO : asPostgresKeepsIt(new BigDecimal(token)));
  }

  /** Zero times any power of ten is zero; its exponent may be beyond what a decimal can hold. */
  private static boolean hasExponent(String token) {
    return token.indexOf('e') >= 0 || token.indexOf('E') >= 0;
  }

  /**
   * The same number with the places that it has after a stay in the database: PostgreSQL writes
   * {@code 1e2} as {@code 100}, so the row is the same before and after it was stored.
   */
  public static BigDecimal asPostgresKeepsIt(BigDecimal number) {
    return number.scale() < 0 ? number.setScale(0) : number;
  }

  /**
   * The number as JSON: plain where that is at most 40 characters, otherwise with an exponent, so
   * that a device can send back whatever it was given. Equal for equal numbers of equal places.
   */
  public static String json(BigDecimal number) {
    String plain = number.toPlainString();
    if (plain.length() <= MAX_TOKEN_CHARACTERS) {
      return plain;
    }
    BigDecimal stripped = number.stripTrailingZeros();
    BigInteger unscaled = stripped.unscaledValue();
    return stripped.scale() == 0 ? unscaled.toString() : unscaled + "e" + -stripped.scale();
  }
}
