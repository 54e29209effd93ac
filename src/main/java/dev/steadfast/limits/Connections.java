package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * How many connections a pod keeps. One more is accepted all the same, and the one that has been
 * without a request for longest is closed for it: to refuse the new one would refuse the next
 * probe, and who opens connections and says nothing would have the pod restarted. Where all others
 * are busy, the new one is the only silent one and is closed itself, a probe's too.
 */
@ApplicationScoped
public class Connections {
  private static final Logger LOG = Logger.getLogger(Connections.class);

  /** A connection needs some 17 KiB of heap while it listens for events. */
  private static final int HEAP_BYTES_EACH = 32 * 1024;

  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int most;
  private final Counter closed;
  private final Set<Channel> busy = new HashSet<>();

  /** The one that has been silent for longest comes first. */
  private final LinkedHashSet<Channel> silent = new LinkedHashSet<>();

  private long lastLogged = System.nanoTime() - LOG_PAUSE_NANOS;

  Connections(Settings settings, MeterRegistry metrics) {
    most = settings.limits().connections().orElse(ofHeap(Runtime.getRuntime().maxMemory()));
    closed =
        Counter.builder("steadfast.limits.connections.closed")
            .description("Silent connections that were closed because there were too many")
            .register(metrics);
    Gauge.builder("steadfast.limits.connections", this, Connections::count)
        .description("Open connections")
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
    return busy.size() + silent.size();
  }

  /**
   * A connection was opened.
   *
   * @return one to close, if it is one too many; it is counted no more
   */
  synchronized Optional<Channel> opened(Channel channel) {
    silent.add(channel);
    if (busy.size() + silent.size() <= most) {
      return Optional.empty();
    }
    Iterator<Channel> all = silent.iterator();
    Channel eldest = all.next();
    all.remove();
    closed.increment();
    long now = System.nanoTime();
    if (now - lastLogged >= LOG_PAUSE_NANOS) {
      lastLogged = now;
      LOG.warnf(
          "more than %d connections: those that are silent for longest are closed; more are let in"
              + " by steadfast.limits.connections, if the heap has 17 KiB for each",
          most);
    }
    return Optional.of(eldest);
  }

  /** A request arrived: the connection is not closed for another one. */
  synchronized void busy(Channel channel) {
    silent.remove(channel);
    busy.add(channel);
  }

  /** All its requests are answered. */
  synchronized void silent(Channel channel) {
    if (busy.remove(channel)) {
      silent.add(channel);
    }
  }

  /** The connection is closed. */
  synchronized void closed(Channel channel) {
    busy.remove(channel);
    silent.remove(channel);
  }
}
