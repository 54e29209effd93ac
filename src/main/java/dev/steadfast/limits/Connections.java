package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * How many connections a pod keeps. One more is accepted all the same, and another one is closed
 * for it: to refuse the new one would refuse the next probe, and who opens connections and says
 * nothing would have the pod restarted.
 *
 * <p>That is the eldest of those that have made no request yet, or the one that has been idle for
 * longest since its last answer: whichever there are more of, so that neither who opens many
 * connections nor who keeps many in use can take the places of the others. An eighth of all places
 * is kept for these two; if the connections with a request under way take more, the one whose
 * request came first is closed.
 *
 * <p>No proxy stands before it: connections end after the container that would ask one.
 */
@Singleton
public class Connections {
  private static final Logger LOG = Logger.getLogger(Connections.class);

  /**
   * Some 17 KiB while it listens for events, and up to 40 more if its head is as large as may be;
   * as much again is for the work.
   */
  private static final int HEAP_BYTES_EACH = 128 * 1024;

  private static final int SHARE_WITHOUT_REQUEST = 8;

  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int most;
  private final Counter closed;
  private final AtomicInteger requests = new AtomicInteger();

  /** The one whose request came first comes first. */
  private final Set<Channel> busy = new LinkedHashSet<>();

  /** No request yet. The eldest comes first. */
  private final Set<Channel> fresh = new LinkedHashSet<>();

  /** All answered. The one that has been idle for longest comes first. */
  private final Set<Channel> idle = new LinkedHashSet<>();

  private long lastLogged = System.nanoTime() - LOG_PAUSE_NANOS;

  @Inject
  Connections(Settings settings, MeterRegistry metrics) {
    this(settings.limits().connections().orElse(ofHeap(Runtime.getRuntime().maxMemory())), metrics);
  }

  Connections(int most, MeterRegistry metrics) {
    this.most = most;
    closed =
        Counter.builder("steadfast.limits.connections.closed")
            .description("Connections that were closed because there were too many")
            .register(metrics);
    Gauge.builder("steadfast.limits.connections", this, Connections::count)
        .description("Open connections")
        .register(metrics);
    Gauge.builder("steadfast.limits.requests", requests, AtomicInteger::get)
        .description("Requests under way, streams of events among them")
        .register(metrics);
  }

  /** How many connections a heap can bear beside its work. */
  static int ofHeap(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, bytes / HEAP_BYTES_EACH));
  }

  /** The most connections that are kept. */
  public int most() {
    return most;
  }

  private synchronized int count() {
    return busy.size() + fresh.size() + idle.size();
  }

  /**
   * A connection was opened.
   *
   * @return one to close, if it is one too many; it is counted no more
   */
  synchronized Optional<Channel> opened(Channel channel) {
    fresh.add(channel);
    if (count() <= most) {
      return Optional.empty();
    }
    Iterator<Channel> crowd = crowd().iterator();
    Channel eldest = crowd.next();
    crowd.remove();
    closed.increment();
    long now = System.nanoTime();
    if (now - lastLogged >= LOG_PAUSE_NANOS) {
      lastLogged = now;
      LOG.warnf(
          "more than %d connections: the eldest of those without a request are closed, or those whose"
              + " requests came first; more are let in by steadfast.limits.connections, if the heap"
              + " has 128 KiB for each",
          most);
    }
    return Optional.of(eldest);
  }

  /** Those of whom one has to go. */
  private Set<Channel> crowd() {
    int room = Math.max(1, most / SHARE_WITHOUT_REQUEST);
    if (fresh.size() + idle.size() <= room && !busy.isEmpty()) {
      return busy;
    }
    return fresh.size() > idle.size() ? fresh : idle;
  }

  /**
   * A request arrived. A connection that was chosen to be closed, or is closed already, is not
   * counted again.
   */
  void arrived(Channel channel) {
    requests.incrementAndGet();
    synchronized (this) {
      if (fresh.remove(channel) || idle.remove(channel)) {
        busy.add(channel);
      }
    }
  }

  /** A request is answered, or nobody is there to read the answer. */
  void ended() {
    requests.decrementAndGet();
  }

  /** All requests of this connection are answered. */
  synchronized void idle(Channel channel) {
    if (busy.remove(channel)) {
      idle.add(channel);
    }
  }

  /** Closes those whose requests are not answered yet. */
  void closeBusy() {
    List<Channel> all;
    synchronized (this) {
      all = List.copyOf(busy);
    }
    if (!all.isEmpty()) {
      LOG.warnf(
          "%d connections are closed with the pod: their answers were not ready, or not taken",
          all.size());
      all.forEach(Channel::close);
    }
  }

  /** The connection is closed. */
  synchronized void closed(Channel channel) {
    busy.remove(channel);
    fresh.remove(channel);
    idle.remove(channel);
  }
}
