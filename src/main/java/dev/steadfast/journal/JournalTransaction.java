package dev.steadfast.journal;

import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import dev.steadfast.start.Settings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.Optional;
import java.util.function.Supplier;

/** One attempt at a keyed operation: one transaction, under the lock of its scope. */
@ApplicationScoped
class JournalTransaction {
  private static final String READ_COMMITTED = "read committed";

  private final JournalStore store;
  private final Settings settings;

  JournalTransaction(JournalStore store, Settings settings) {
    this.store = store;
    this.settings = settings;
  }

  /** The key was written by another transaction that this one's snapshot does not show. */
  static class KeyTakenException extends RuntimeException {
    KeyTakenException() {
      super("the key was written behind the scope's lock", null, false, false);
    }
  }

  /**
   * The command was refused on a snapshot that may be older than the lock: only Read Committed
   * takes a new one for each statement.
   */
  static class RefusedOnOldSnapshotException extends RuntimeException {
    private final transient ProblemException refusal;

    RefusedOnOldSnapshotException(ProblemException refusal) {
      super("refused on a snapshot that may be old", null, false, false);
      this.refusal = refusal;
    }

    ProblemException refusal() {
      return refusal;
    }
  }

  /**
   * Gives the stored answer, or runs the command and stores its answer.
   *
   * @throws ProblemException 422 if the key was used with another request; what the command throws
   * @throws JournalStore.InFlightException if the key is in another transaction's hands
   * @throws KeyTakenException if the whole transaction must be tried again
   * @throws RefusedOnOldSnapshotException if the refusal must be made sure of
   */
  @Transactional(TxType.REQUIRES_NEW)
  Outcome run(Scope scope, String request, Supplier<Answer> command) {
    String isolation =
        store.lock(
            scope, settings.database().lockTimeout(), settings.database().statementTimeout());
    Optional<JournalStore.Used> used = store.find(scope, request);
    if (used.isPresent()) {
      if (!used.get().sameRequest()) {
        String detail =
            "This Idempotency-Key was used with another request. Repeat that one, or take a new"
                + " key.";
        throw new ProblemException(Problem.of(422, "KEY_CONFLICT", detail));
      }
      return new Outcome(used.get().answer(), true);
    }
    Answer answer;
    try {
      answer = command.get();
    } catch (ProblemException refusal) {
      throw isolation.equals(READ_COMMITTED) ? refusal : new RefusedOnOldSnapshotException(refusal);
    }
    if (!store.remember(scope, request, answer)) {
      throw new KeyTakenException();
    }
    return new Outcome(answer, false);
  }
}
