package dev.steadfast.journal;

import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Runs a command once for each key, whatever happens to requests and answers: the answer is stored
 * in the transaction of the effect, and every repeat gets the stored one.
 *
 * <p>Attempts are made from outside the transaction: inside an aborted one nothing can be repeated.
 */
@ApplicationScoped
public class OperationJournal {
  /** So many failed tries, and the client is asked to come again. */
  static final int MAX_ATTEMPTS = 5;

  /** The pause after a failure is up to twice this, and doubles each time. */
  private static final int PAUSE_MILLIS = 20;

  private static final Duration RETRY_IN_FLIGHT = Duration.ofSeconds(1);

  private final JournalTransaction transaction;
  private final MeterRegistry metrics;

  OperationJournal(JournalTransaction transaction, MeterRegistry metrics) {
    this.transaction = transaction;
    this.metrics = metrics;
  }

  /**
   * Runs the command, or gives the answer that an earlier run of it stored.
   *
   * @param request the request as JSON, normalised by the caller: two requests that mean the same
   *     are equal. The order of fields and the spelling of numbers do not matter.
   * @param command the effect, by stores that take part in the running transaction. It may run
   *     several times, in transactions of which at most one is committed. To refuse, it throws a
   *     {@link ProblemException}; a refusal is not stored.
   * @throws ProblemException the command's refusal; 409 {@code KEY_IN_FLIGHT}, 422 {@code
   *     KEY_CONFLICT}, 503 {@code UNAVAILABLE}
   */
  public Outcome once(Scope scope, String request, Supplier<Answer> command) {
    boolean refused = false;
    int failures = 0;
    while (true) {
      try {
        Outcome outcome = transaction.run(scope, request, command);
        count(outcome.replayed() ? "replayed" : "stored");
        return outcome;
      } catch (JournalStore.InFlightException e) {
        count("in-flight");
        String detail = "A request with this Idempotency-Key is being processed. Repeat it later.";
        throw new ProblemException(Problem.of(409, "KEY_IN_FLIGHT", detail), RETRY_IN_FLIGHT);
      } catch (ProblemException e) {
        count("refused");
        throw e;
      } catch (JournalTransaction.RefusedOnOldSnapshotException e) {
        if (refused) {
          count("refused");
          throw e.refusal();
        }
        refused = true;
      } catch (JournalTransaction.KeyTakenException e) {
        again(++failures);
      } catch (RuntimeException e) {
        if (DatabaseFailure.of(e).filter(DatabaseFailure.RETRY::equals).isEmpty()) {
          throw e;
        }
        again(++failures);
      }
    }
  }

  private void count(String result) {
    Counter.builder("steadfast.idempotency.operations")
        .description("Keyed operations by what became of them")
        .tag("result", result)
        .register(metrics)
        .increment();
  }

  private void again(int failures) {
    Counter.builder("steadfast.idempotency.retries")
        .description("Transactions of keyed operations that were tried again")
        .register(metrics)
        .increment();
    if (failures == MAX_ATTEMPTS) {
      throw ProblemException.unavailable();
    }
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS << failures));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.unavailable();
    }
  }
}
