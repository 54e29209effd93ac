package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How many bytes of bodies and pages a pod holds at once. Whoever would exceed the bound is sent
 * away: a client that repeats later costs less than a pod without memory.
 */
@ApplicationScoped
public class HeldMemory {
  private static final int SHARE_OF_HEAP = 4;

  private final long most;
  private final AtomicLong held = new AtomicLong();

  HeldMemory(
      Settings settings,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    long wanted =
        settings
            .limits()
            .memory()
            .map(MemorySize::asLongValue)
            .orElse(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    most = Math.max(wanted, maxBodySize.asLongValue());
    Gauge.builder("steadfast.limits.held.bytes", held, AtomicLong::get)
        .description("Bytes of bodies and pages that are held")
        .register(metrics);
  }

  /** Holds nothing yet. */
  public Hold hold() {
    return new Hold();
  }

  /** What one request holds. */
  public final class Hold {
    private long bytes;
    private boolean released;

    private Hold() {}

    /**
     * Holds more.
     *
     * @return false if it is not to be had, or the request is over; then it holds what it held
     *     before
     */
    public synchronized boolean add(long more) {
      if (released) {
        return false;
      }
      if (held.addAndGet(more) > most) {
        held.addAndGet(-more);
        return false;
      }
      bytes += more;
      return true;
    }

    /** Lets go of everything, for good: work that goes on after its request ended holds nothing. */
    public synchronized void release() {
      released = true;
      held.addAndGet(-bytes);
      bytes = 0;
    }
  }
}
