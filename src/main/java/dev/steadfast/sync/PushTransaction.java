package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.core.Judging;
import dev.steadfast.start.Settings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** One attempt at a push: one transaction, under the lock of the person's head. */
@ApplicationScoped
class PushTransaction {
  /** The most bytes that a row may have, its fields and marks as JSON. */
  static final int MAX_ROW_BYTES = 256 * 1024;

  private final PushStore store;
  private final Contract contract;
  private final Settings settings;

  PushTransaction(PushStore store, Contract contract, Settings settings) {
    this.store = store;
    this.contract = contract;
    this.settings = settings;
  }

  /** Some names were remembered by another session after this one had read the memory. */
  static class MemoryMovedException extends RuntimeException {
    MemoryMovedException() {
      super("verdicts were written behind the head's lock", null, false, false);
    }
  }

  /**
   * Judges the batch. The order is the seed of all promises: first the answer is remembered, then
   * the data changes.
   *
   * @throws MemoryMovedException if the whole transaction must be judged again with a fresh read
   * @throws NothingJudgedException if the first operation is of a schema newer than this server's
   * @throws MalformedBodyException if judging reached a malformed operation
   */
  @Transactional(TxType.REQUIRES_NEW)
  Judging.After run(String userId, PushBody body) {
    PushStore.Head head =
        store.lock(
            userId, settings.database().lockTimeout(), settings.database().statementTimeout());
    long latest = head.now() + settings.clock().maxAhead().toMillis();
    Judging.Before before = store.read(userId, head.seq(), body.operations());
    Judging.After after =
        Judging.judge(
            body.operations(), before, new Judging.Rules(contract, latest, MAX_ROW_BYTES));
    if (!after.ahead() && body.malformed() != null) {
      throw body.malformed();
    }
    if (after.verdicts().isEmpty()) {
      throw new NothingJudgedException();
    }
    if (!after.news().isEmpty() && store.remember(userId, after.news()) < after.news().size()) {
      throw new MemoryMovedException();
    }
    if (!after.changed().isEmpty()) {
      store.write(userId, after.changed(), after.rows(), after.seq());
    }
    return after;
  }

  /** The first operation is of a newer schema: success without a verdict would mislead. */
  static class NothingJudgedException extends RuntimeException {
    NothingJudgedException() {
      super("nothing could be judged", null, false, false);
    }
  }
}
