package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.core.Judging;
import dev.steadfast.core.Verdict;
import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/**
 * Judges a push, again and as a whole if its transaction lost against another one. The attempts are
 * made from outside the transaction: inside an aborted one nothing can be repeated.
 */
@ApplicationScoped
class PushService {
  /** So many times a push is tried before the device is asked to come again. */
  static final int MAX_ATTEMPTS = 5;

  private static final Logger LOG = Logger.getLogger(PushService.class);
  private static final int MAX_PAUSE_MILLIS = 20;

  private final PushTransaction transaction;
  private final Contract contract;
  private final HeadWatch watch;
  private final MeterRegistry metrics;

  PushService(
      PushTransaction transaction, Contract contract, HeadWatch watch, MeterRegistry metrics) {
    this.watch = watch;
    this.transaction = transaction;
    this.contract = contract;
    this.metrics = metrics;
  }

  /** The contract that this service judges by. */
  Contract contract() {
    return contract;
  }

  /**
   * Judges a batch.
   *
   * @throws ProblemException if the request as a whole is refused; then nothing was written
   */
  PushAnswer push(String userId, PushBody body) {
    if (body.count() == 0) {
      String detail = "The batch is empty: there is nothing to judge.";
      throw new ProblemException(Problem.of(400, "EMPTY_BATCH", detail));
    }
    Judging.After after = body.operations().isEmpty() ? nothingJudged() : attempts(userId, body);
    if (!after.changed().isEmpty()) {
      watch.moved(userId, after.seq());
    }
    count(after);
    return PushAnswer.of(body, after, contract);
  }

  private Judging.After attempts(String userId, PushBody body) {
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction.run(userId, body);
      } catch (PushTransaction.NothingJudgedException e) {
        return nothingJudged();
      } catch (PushTransaction.MemoryMovedException e) {
        again(attempt, "memory");
      } catch (RuntimeException e) {
        if (DatabaseFailure.of(e).filter(DatabaseFailure.RETRY::equals).isEmpty()) {
          throw e;
        }
        again(attempt, "database");
      }
    }
  }

  private Judging.After nothingJudged() {
    String detail =
        "The first operation is of a schema newer than this server's "
            + contract.version()
            + ". Keep the queue and come again after the server was updated.";
    throw new ProblemException(Problem.of(409, PushAnswer.SCHEMA_AHEAD, detail));
  }

  private void again(int attempt, String cause) {
    Counter.builder("steadfast.sync.push.retries")
        .description("Pushes that were judged again as a whole")
        .tag("cause", cause)
        .register(metrics)
        .increment();
    if (attempt == MAX_ATTEMPTS) {
      throw ProblemException.unavailable();
    }
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_PAUSE_MILLIS * attempt));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.unavailable();
    }
  }

  private void count(Judging.After after) {
    int differs = 0;
    int[] byStatus = new int[Verdict.Status.values().length];
    for (Verdict verdict : after.verdicts()) {
      byStatus[verdict.status().ordinal()]++;
      differs += verdict.differs() ? 1 : 0;
    }
    for (Verdict.Status status : Verdict.Status.values()) {
      Counter.builder("steadfast.sync.verdicts")
          .description("Operations that got this verdict")
          .tag("status", status.word())
          .register(metrics)
          .increment(byStatus[status.ordinal()]);
    }
    Counter.builder("steadfast.sync.differs")
        .description("Operations that repeat a name with another content")
        .register(metrics)
        .increment(differs);
    if (differs > 0) {
      LOG.warnf(
          "%s a name with another content: two devices share a prefix?",
          differs == 1 ? "1 operation repeats" : differs + " operations repeat");
    }
  }
}
