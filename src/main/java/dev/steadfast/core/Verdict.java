package dev.steadfast.core;

import java.util.List;

/**
 * The answer to one operation.
 *
 * @param opId the operation
 * @param rowId the row that the operation names
 * @param status what became of it
 * @param refusal why it was rejected; null unless {@code status} is {@link Status#REJECTED}
 * @param lost fields of an applied operation that lost to newer marks, in contract order
 * @param differs whether this is a repeat of a name with another content
 */
public record Verdict(
    String opId, String rowId, Status status, Refusal refusal, List<String> lost, boolean differs) {

  /** What became of an operation. */
  public enum Status {
    /** It was judged now, and accepted. */
    APPLIED("applied"),
    /** It had been accepted before; nothing was done again. */
    DUPLICATE("duplicate"),
    /** It was refused, now or before: the reason is the same on every repeat. */
    REJECTED("rejected");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    /** The word in JSON and SQL. */
    public String word() {
      return word;
    }
  }

  static Verdict applied(Operation operation, List<String> lost) {
    return new Verdict(operation.opId(), operation.rowId(), Status.APPLIED, null, lost, false);
  }

  static Verdict rejected(Operation operation, Refusal refusal) {
    return new Verdict(
        operation.opId(), operation.rowId(), Status.REJECTED, refusal, List.of(), false);
  }

  /** The answer to a repeat: what was remembered, never judged again. */
  static Verdict repeated(Operation operation, Remembered memory) {
    boolean differs = operation.fingerprint() != memory.fingerprint();
    Status status = memory.refusal() == null ? Status.DUPLICATE : Status.REJECTED;
    return new Verdict(
        operation.opId(), operation.rowId(), status, memory.refusal(), List.of(), differs);
  }
}
