package dev.steadfast.journal;

import dev.steadfast.start.Settings;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Forgets keys that are older than {@code steadfast.idempotency.retention}, in small transactions.
 * Verdicts of the sync are never forgotten.
 */
@ApplicationScoped
class JournalPurge {
  private static final Logger LOG = Logger.getLogger(JournalPurge.class);
  private static final int BATCH = 1_000;

  private final JournalStore store;
  private final Settings settings;

  JournalPurge(JournalStore store, Settings settings) {
    this.store = store;
    this.settings = settings;
  }

  @Scheduled(
      identity = "journal-purge",
      every = "10m",
      delayed = "30s",
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
      skipExecutionIf = Scheduled.ApplicationNotRunning.class)
  void scheduled() {
    try {
      int forgotten = purge(settings.idempotency().retention());
      if (forgotten > 0) {
        LOG.infof("%d idempotency keys outlived their retention and are forgotten", forgotten);
      }
    } catch (RuntimeException e) {
      LOG.warnf("idempotency keys are purged later: %s", e.getMessage());
    }
  }

  /** Forgets everything older than this; how many keys. */
  int purge(Duration retention) {
    int forgotten = 0;
    int batch;
    do {
      batch = QuarkusTransaction.requiringNew().call(() -> store.purge(retention, BATCH));
      forgotten += batch;
    } while (batch == BATCH);
    return forgotten;
  }
}
