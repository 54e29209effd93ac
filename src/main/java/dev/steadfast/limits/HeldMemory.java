package dev.steadfast.limits;

import dev.steadfast.problem.ProblemException;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How many bytes of bodies and pages a pod holds at once, and of one person. Whoever would exceed a
 * bound is sent away: a client that repeats later costs less than a pod without memory.
 */
@ApplicationScoped
public class HeldMemory {
  private static final int SHARE_OF_HEAP = 4;
  private static final int SHARE_OF_PERSON = 4;

  /** A packed body, and what is unpacked of it. */
  private static final int LARGEST_BODIES = 2;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final long most;
  private final long mostOfPerson;
  private final Counter refused;
  private final AtomicLong held = new AtomicLong();

  /** Only of those who hold something. */
  private final Map<String, Long> ofPersons = new ConcurrentHashMap<>();

  @Inject
  HeldMemory(
      Settings settings,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    this(
        settings
            .limits()
            .memory()
            .map(MemorySize::asLongValue)
            .orElse(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
        maxBodySize.asLongValue(),
        metrics);
  }

  HeldMemory(long wanted, long largestBody, MeterRegistry metrics) {
    long least = LARGEST_BODIES * largestBody;
    most = Math.max(wanted, least);
    mostOfPerson = Math.max(most / SHARE_OF_PERSON, least);
    refused = RequestRate.refused(metrics, "memory");
    Gauge.builder("steadfast.limits.held.bytes", held, AtomicLong::get)
        .description("Bytes of bodies and pages that are held")
        .register(metrics);
  }

  /** Holds nothing yet, for this person. */
  public Hold hold(String userId) {
    return new Hold(userId);
  }

  /** What one request holds. */
  public final class Hold {
    private final String userId;
    private long bytes;
    private boolean released;

    private Hold(String userId) {
      this.userId = userId;
    }

    /**
     * Holds more.
     *
     * @throws ProblemException 503 if the pod holds too much, or the request is over, 429 if the
     *     person does; then it holds what it held before
     */
    public synchronized void add(long more) {
      if (released) {
        throw Busy.pod();
      }
      if (ofPersons.merge(userId, more, Long::sum) > mostOfPerson) {
        letGo(more);
        refused.increment();
        throw Busy.person(
            "Bodies and answers of this person fill its share of the memory. Repeat the request"
                + " later, one at a time.",
            RETRY_AFTER);
      }
      if (held.addAndGet(more) > most) {
        held.addAndGet(-more);
        letGo(more);
        throw Busy.pod();
      }
      bytes += more;
    }

    private void letGo(long less) {
      ofPersons.computeIfPresent(
          userId, (user, all) -> all == less ? null : Long.valueOf(all - less));
    }

    /** Lets go of everything, for good: work that goes on after its request ended holds nothing. */
    public synchronized void release() {
      released = true;
      held.addAndGet(-bytes);
      letGo(bytes);
      bytes = 0;
    }
  }
}
