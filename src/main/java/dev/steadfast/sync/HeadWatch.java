package dev.steadfast.sync;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Watches the heads of all who listen at this pod, with one query a second for all of them. No
 * LISTEN/NOTIFY: it serialises commits, and does not pass PgBouncer. A listener holds no thread.
 */
@ApplicationScoped
class HeadWatch {
  private static final Logger LOG = Logger.getLogger(HeadWatch.class);
  private static final long POLL_MILLIS = 1_000;

  /** So many events may wait for a slow reader. */
  private static final int UNREAD = 32;

  private final HeadStore store;
  private final Vertx vertx;
  private final Duration heartbeat;
  private final Map<String, Set<HeadListener>> listeners = new ConcurrentHashMap<>();
  private final AtomicBoolean polling = new AtomicBoolean();
  private volatile boolean away;
  private volatile boolean ended;

  HeadWatch(HeadStore store, Vertx vertx, Settings settings, MeterRegistry metrics) {
    this.store = store;
    this.vertx = vertx;
    this.heartbeat = settings.events().heartbeat();
    Gauge.builder("steadfast.sync.listeners", this, HeadWatch::count)
        .description("Open streams of events at this pod")
        .register(metrics);
  }

  void start(@Observes StartupEvent start) {
    vertx.setPeriodic(POLL_MILLIS, tick -> tick());
  }

  /** A stream has no natural end: a rollout would wait for it. */
  void end(@Observes ShutdownDelayInitiatedEvent shutdown) {
    endAll();
  }

  void end(@Observes ShutdownEvent shutdown) {
    endAll();
  }

  private void endAll() {
    ended = true;
    listeners.values().forEach(each -> List.copyOf(each).forEach(HeadListener::end));
  }

  /**
   * The numbers of a person's head: the present one at once, and then each one that is seen, and
   * {@link HeadListener#STILL_HERE} in between. A stream that is not read ends.
   *
   * @param expires when the stream ends
   */
  Multi<Long> listen(String userId, Instant expires) {
    return Multi.createFrom().emitter(emitter -> listen(userId, expires, emitter), UNREAD);
  }

  private void listen(String userId, Instant expires, MultiEmitter<? super Long> emitter) {
    HeadListener listener = new HeadListener(emitter, expires);
    listeners.compute(
        userId,
        (key, all) -> {
          Set<HeadListener> set = all == null ? ConcurrentHashMap.newKeySet() : all;
          set.add(listener);
          return set;
        });
    emitter.onTermination(() -> forget(userId, listener));
    if (ended) {
      listener.end();
      return;
    }
    onWorker(() -> tell(List.of(userId)));
  }

  private void forget(String userId, HeadListener listener) {
    listeners.computeIfPresent(
        userId,
        (key, all) -> {
          all.remove(listener);
          return all.isEmpty() ? null : all;
        });
  }

  /** Wakes the listeners at this pod when a push has moved the head. */
  void moved(String userId, long seq) {
    Set<HeadListener> all = listeners.get(userId);
    if (all != null) {
      all.forEach(listener -> listener.tellMoved(seq));
    }
  }

  private void tick() {
    Instant now = Instant.now();
    for (Set<HeadListener> each : listeners.values()) {
      for (HeadListener listener : each) {
        if (listener.hasExpired(now)) {
          listener.end();
        } else {
          listener.speakUnlessSince(now.minus(heartbeat));
        }
      }
    }
    if (!listeners.isEmpty() && polling.compareAndSet(false, true)) {
      onWorker(
          () -> {
            try {
              tell(new ArrayList<>(listeners.keySet()));
            } finally {
              polling.set(false);
            }
          });
    }
  }

  private void tell(Collection<String> userIds) {
    try {
      Map<String, Long> seqs = store.seqs(userIds);
      for (String userId : userIds) {
        long seq = seqs.getOrDefault(userId, 0L);
        Set<HeadListener> all = listeners.getOrDefault(userId, Set.of());
        all.forEach(listener -> listener.tell(seq));
      }
      if (away) {
        LOG.info("the heads can be read again");
      }
      away = false;
    } catch (RuntimeException e) {
      if (!away) {
        LOG.warn("the heads cannot be read, listeners are told later: " + e.getMessage());
      }
      away = true;
    }
  }

  private void onWorker(Runnable work) {
    vertx.executeBlocking(
        () -> {
          work.run();
          return null;
        },
        false);
  }

  /** How many streams this person has open at this pod. */
  int count(String userId) {
    return listeners.getOrDefault(userId, Set.of()).size();
  }

  /** How many streams are open at this pod. */
  int count() {
    return listeners.values().stream().mapToInt(Set::size).sum();
  }
}
