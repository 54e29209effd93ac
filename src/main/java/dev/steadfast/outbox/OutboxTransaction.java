package dev.steadfast.outbox;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.List;

/** The short transactions around a delivery. None is open while the receiver is being called. */
@ApplicationScoped
class OutboxTransaction {
  private final OutboxStore store;

  OutboxTransaction(OutboxStore store) {
    this.store = store;
  }

  @Transactional(TxType.REQUIRES_NEW)
  List<Intent> take(int limit, Duration lease) {
    return store.take(limit, lease);
  }

  @Transactional(TxType.REQUIRES_NEW)
  void delivered(Intent intent) {
    store.delivered(intent);
  }

  @Transactional(TxType.REQUIRES_NEW)
  void failed(Intent intent, String failure, Duration pause, boolean dead) {
    store.failed(intent, failure, pause, dead);
  }

  @Transactional(TxType.REQUIRES_NEW)
  OutboxStore.Counts count() {
    return store.count();
  }

  @Transactional(TxType.REQUIRES_NEW)
  int purge(Duration retention, int limit) {
    return store.purge(retention, limit);
  }
}
