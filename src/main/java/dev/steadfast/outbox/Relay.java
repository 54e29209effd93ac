package dev.steadfast.outbox;

import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/**
 * Delivers events. Each is <i>taken</i> in a short transaction, sent with no transaction open, and
 * its outcome is written in another. Taking leases the event: while one relay calls the receiver no
 * other can take it, nor a younger one of its subject. A relay that dies lets the lease run out,
 * and the event is sent again with the same id.
 */
final class Relay {
  private static final Logger LOG = Logger.getLogger(Relay.class);
  private static final int BATCH = 8;
  private static final int MAX_WRITES = 5;
  private static final int MAX_DOUBLINGS = 20;

  /** How much longer than a call the lease is: for what happens before and after the call. */
  static final Duration MARGIN = Duration.ofSeconds(10);

  private final OutboxTransaction transaction;
  private final Settings.OutboxSettings settings;
  private final MeterRegistry metrics;
  private final Receiver receiver;
  private final Duration lease;

  Relay(
      OutboxTransaction transaction,
      Settings.OutboxSettings settings,
      URI target,
      MeterRegistry metrics) {
    this.transaction = transaction;
    this.settings = settings;
    this.metrics = metrics;
    this.receiver = new Receiver(target);
    this.lease = settings.timeout().plus(MARGIN);
  }

  /** Delivers what is due until nothing is; how many tries were made. */
  int run() {
    int tries = 0;
    List<Intent> taken;
    do {
      long start = System.nanoTime();
      taken = transaction.take(BATCH, lease);
      CompletableFuture.allOf(
              taken.stream()
                  .map(intent -> deliver(intent, start))
                  .toArray(CompletableFuture[]::new))
          .join();
      tries += taken.size();
    } while (!taken.isEmpty());
    return tries;
  }

  private CompletableFuture<Void> deliver(Intent intent, long start) {
    // A process that slept through its lease must not send: another relay is further by now.
    if (System.nanoTime() - start > MARGIN.toNanos() / 2) {
      return CompletableFuture.completedFuture(null);
    }
    return receiver
        .send(intent.event(), settings.timeout())
        .thenAccept(failure -> written(intent, failure));
  }

  private void written(Intent intent, String failure) {
    boolean dead = failure != null && intent.attempts() >= settings.maxAttempts();
    String result = failure == null ? "delivered" : dead ? "dead" : "failed";
    try {
      write(intent, failure, dead);
    } catch (RuntimeException e) {
      // The lease runs out, and the event is sent again.
      LOG.warnf("the outcome of event %s is not written: %s", intent.id(), e.getMessage());
    }
    Counter.builder("steadfast.outbox.tries")
        .description("Deliveries of events that were tried")
        .tag("result", result)
        .register(metrics)
        .increment();
    if (dead) {
      LOG.errorf("event %s is dead after %d tries: %s", intent.id(), intent.attempts(), failure);
    }
  }

  private void write(Intent intent, String failure, boolean dead) {
    for (int attempt = 1; ; attempt++) {
      try {
        if (failure == null) {
          transaction.delivered(intent);
        } else {
          transaction.failed(intent, failure, pause(intent.attempts()), dead);
        }
        return;
      } catch (RuntimeException e) {
        boolean again = DatabaseFailure.of(e).filter(DatabaseFailure.RETRY::equals).isPresent();
        if (!again || attempt == MAX_WRITES) {
          throw e;
        }
      }
    }
  }

  /** The pause after this many failed tries. */
  Duration pause(int attempts) {
    Duration pause = settings.backOff().multipliedBy(1L << Math.min(attempts - 1, MAX_DOUBLINGS));
    return pause.compareTo(settings.maxBackOff()) < 0 ? pause : settings.maxBackOff();
  }
}
