package dev.steadfast.limits;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.steadfast.start.Settings;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * A token bucket for each person. One that is full again is forgotten: it is like a new one. The
 * number of those remembered is bounded.
 */
@ApplicationScoped
public class RequestRate {
  private static final long NANOS = 1_000_000_000L;

  private final LoadingCache<String, Bucket> buckets;
  private final String policy;
  private final Counter refused;

  RequestRate(Settings settings, MeterRegistry metrics) {
    int rate = settings.limits().requestsPerSecond();
    int burst = settings.limits().burst();
    long seconds = ceiling(burst, rate);
    policy = "\"person\";q=%d;w=%d".formatted(burst, seconds);
    buckets =
        Caffeine.newBuilder()
            .maximumSize(settings.limits().persons())
            .expireAfterAccess(Duration.ofSeconds(seconds + 1))
            .build(person -> bucket(rate, burst));
    Gauge.builder("steadfast.limits.persons", buckets, LoadingCache::estimatedSize)
        .description("Persons whose rate is remembered")
        .register(metrics);
    refused = refused(metrics, "rate");
  }

  /** What is refused with 429, by the limit that was reached. */
  public static Counter refused(MeterRegistry metrics, String limit) {
    return Counter.builder("steadfast.limits.refused")
        .description("Requests of persons who asked for too much at once")
        .tag("limit", limit)
        .register(metrics);
  }

  private static Bucket bucket(int rate, int burst) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(burst).refillGreedy(rate, Duration.ofSeconds(1)))
        .build();
  }

  /**
   * What a request was granted.
   *
   * @param granted whether it may be served
   * @param left how many more may be made at once
   * @param fullIn in how many seconds as many as ever may be made at once
   * @param nextIn in how many seconds the next may be made; 0 if at once
   */
  record Grant(boolean granted, long left, long fullIn, long nextIn) {
    /** The field {@code RateLimit} of the IETF draft. */
    String field() {
      return "\"person\";r=" + left + ";t=" + fullIn;
    }
  }

  /** Takes a token of this person's, if there is one. */
  Grant take(String userId) {
    ConsumptionProbe probe = buckets.get(userId).tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      refused.increment();
    }
    return new Grant(
        probe.isConsumed(),
        probe.getRemainingTokens(),
        ceiling(probe.getNanosToWaitForReset(), NANOS),
        ceiling(probe.getNanosToWaitForRefill(), NANOS));
  }

  /** The field {@code RateLimit-Policy} of the IETF draft: a burst, and when it is whole again. */
  String policy() {
    return policy;
  }

  private static long ceiling(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
