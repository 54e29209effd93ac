package dev.steadfast.core;

/**
 * Which operation last won a field.
 *
 * <p>Marks are totally ordered, the same way on every device and on the server: first by time, then
 * by the operation's name. Names are compared by UTF-16 code unit ({@link String#compareTo}), as a
 * device written in JavaScript compares them, and never by a database's collation: with ICU {@code
 * en-US} the order of {@code B:1} and {@code a:1} is the other one.
 *
 * @param at the device's time of the edit, in milliseconds since 1970, 0 … 2^53 − 1
 * @param opId the name of the operation
 */
public record Mark(long at, String opId) implements Comparable<Mark> {

  @Override
  public int compareTo(Mark other) {
    int byTime = Long.compare(at, other.at);
    return byTime != 0 ? byTime : opId.compareTo(other.opId);
  }

  /** Whether an operation with this mark wins a field that carries {@code other}. */
  public boolean isNewerThan(Mark other) {
    return compareTo(other) > 0;
  }
}
