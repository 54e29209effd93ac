package dev.steadfast.core;

/**
 * Why an operation was rejected.
 *
 * @param code for programs: {@link #CONTRACT}, {@link #CLOCK_AHEAD} or {@link #ROW_TOO_LARGE}
 * @param reason for the person, in the words of the deployment's row contract: all they will ever
 *     see; at most 500 characters, no control characters, and no part of the refused value
 */
public record Refusal(String code, String reason) {
  /** The resulting row breaks the row contract, or holds a value that cannot be stored. */
  public static final String CONTRACT = "CONTRACT";

  /** The operation is dated too far ahead of the database's clock. */
  public static final String CLOCK_AHEAD = "CLOCK_AHEAD";

  /** The resulting row would be larger than a row may be. */
  public static final String ROW_TOO_LARGE = "ROW_TOO_LARGE";
}
