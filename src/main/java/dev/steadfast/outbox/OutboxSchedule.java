package dev.steadfast.outbox;

import dev.steadfast.database.DatabaseFailure;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** When this pod delivers, counts and purges events. */
@ApplicationScoped
class OutboxSchedule {
  private static final Logger LOG = Logger.getLogger(OutboxSchedule.class);
  private static final int PURGE_BATCH = 1_000;

  private final OutboxTransaction transaction;
  private final Settings.OutboxSettings settings;
  private final Relay relay;
  private final AtomicLong open = new AtomicLong();
  private final AtomicLong dead = new AtomicLong();
  private boolean failing;

  OutboxSchedule(OutboxTransaction transaction, Settings settings, MeterRegistry metrics) {
    this.transaction = transaction;
    this.settings = settings.outbox();
    this.relay =
        this.settings
            .target()
            .map(target -> new Relay(transaction, this.settings, URI.create(target), metrics))
            .orElse(null);
    Gauge.builder("steadfast.outbox.open", open, AtomicLong::get)
        .description("Events to be delivered")
        .register(metrics);
    Gauge.builder("steadfast.outbox.dead", dead, AtomicLong::get)
        .description("Events given up after too many tries")
        .register(metrics);
  }

  /** Without a target nothing is tried: events stay until there is one. */
  @Scheduled(
      identity = "outbox-relay",
      every = "1s",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = Scheduled.ApplicationNotRunning.class)
  void deliver() {
    if (relay == null) {
      return;
    }
    try {
      relay.run();
      failing = false;
    } catch (RuntimeException e) {
      if (DatabaseFailure.of(e).filter(DatabaseFailure.RETRY::equals).isPresent()) {
        // Another relay was faster, under an isolation stricter than Read Committed.
        return;
      }
      if (!failing) {
        LOG.warnf("the outbox waits, its table cannot be reached: %s", e.getMessage());
      }
      failing = true;
    }
  }

  @Scheduled(
      identity = "outbox-count",
      every = "15s",
      delayed = "5s",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = Scheduled.ApplicationNotRunning.class)
  void count() {
    try {
      OutboxStore.Counts counts = transaction.count();
      open.set(counts.open());
      dead.set(counts.dead());
    } catch (RuntimeException e) {
      LOG.debugf("the outbox is not counted: %s", e.getMessage());
    }
  }

  @Scheduled(
      identity = "outbox-purge",
      every = "10m",
      delayed = "45s",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = Scheduled.ApplicationNotRunning.class)
  void purge() {
    try {
      while (transaction.purge(settings.retention(), PURGE_BATCH) == PURGE_BATCH) {
        LOG.debug("a batch of delivered events is removed");
      }
    } catch (RuntimeException e) {
      LOG.warnf("delivered events are removed later: %s", e.getMessage());
    }
  }
}
