package dev.steadfast.start;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * The settings of the service's own, all under {@code steadfast.}. A value out of range, and a name
 * that is not listed here, stop the start.
 */
// For reflection with all its groups: the check of names asks for them, in a native image too.
@RegisterForReflection
@ConfigMapping(prefix = "steadfast")
public interface Settings {

  /** The row contract. */
  ContractSettings contract();

  /** Clocks. */
  ClockSettings clock();

  /** Time limits inside the database. */
  DatabaseSettings database();

  /** How much of the service one person, and all together, may have at once. */
  LimitSettings limits();

  /** Streams of events. */
  EventSettings events();

  /** Streams of events. */
  interface EventSettings {
    /** How often a silent stream says that it is still there. */
    @WithDefault("15s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration heartbeat();

    /**
     * How many streams a pod keeps open, at most three quarters of its connections; one more is
     * answered with 503.
     */
    @WithDefault("10000")
    @Min(1)
    int maxListeners();

    /** How many streams one person may have open at a pod; one more is answered with 429. */
    @WithDefault("100")
    @Min(1)
    int maxListenersPerPerson();
  }

  /** How much of the service one person, and all together, may have at once; for each pod. */
  interface LimitSettings {
    /** How many requests of one person a second go on being served. */
    @WithDefault("50")
    @Min(1)
    @Max(1_000_000)
    int requestsPerSecond();

    /** How many requests one person may make at once after a silence. */
    @WithDefault("500")
    @Min(1)
    @Max(1_000_000)
    int burst();

    /** How many persons' rates are remembered; the one seen longest ago is forgotten first. */
    @WithDefault("100000")
    @Min(1)
    @Max(10_000_000)
    int persons();

    /** How many pushes of one person may be in progress. */
    @WithDefault("2")
    @Min(1)
    @Max(1_000)
    int pushesAtOnce();

    /** How long one push more waits for its turn before it is answered with 429. */
    @WithDefault("1s")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration pushWait();

    /** How long a request waits for its share of the pool before it is answered with 503. */
    @WithDefault("2s")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration queueWait();

    /** How many requests may wait for a share of the pool; one more is answered with 503. */
    @WithDefault("500")
    @Min(0)
    @Max(1_000_000)
    int queueLength();

    /**
     * How many connections a pod keeps; for one more, the eldest without a request is closed. One
     * for each 128 KiB of the heap if it is not set.
     */
    Optional<@Min(1) @Max(10_000_000) Integer> connections();

    /**
     * How many bytes of bodies and pages a pod holds at once; what exceeds it is answered with 503.
     * A quarter of the heap if it is not set, and never less than the largest body twice. One
     * person may have a quarter of that, and never less than the largest body twice; what exceeds
     * it is answered with 429.
     */
    Optional<MemorySize> memory();

    /** How long the head of a request may take to arrive; then the connection is closed. */
    @WithDefault("10s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration headTime();

    /** How long a body may take to arrive, and a second more for each KiB of it. */
    @WithDefault("30s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration bodyTime();
  }

  /** Keyed operations. */
  IdempotencySettings idempotency();

  /** Events that are told to the outside. */
  OutboxSettings outbox();

  /** The keys that an issuer of tokens publishes. */
  JwksSettings jwks();

  /** The keys that an issuer of tokens publishes. */
  interface JwksSettings {
    /** How often they are read anew. */
    @WithDefault("5m")
    @DurationMin(seconds = 1)
    @DurationMax(days = 1)
    Duration refreshInterval();

    /** How long after a reading a token with an unknown key does not cause another one. */
    @WithDefault("10s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration unknownKeyPause();

    /** How long the issuer may take to be reached, and to answer. */
    @WithDefault("2s")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration timeout();
  }

  /** The row contract. */
  interface ContractSettings {
    /** A file path, or {@code classpath:} and the name of a resource. */
    @WithDefault("classpath:contract/training-diary.json")
    @NotBlank
    String location();
  }

  /** Clocks. */
  interface ClockSettings {
    /**
     * How far ahead of the database's clock an operation may be dated. One dated further is
     * rejected: once stored, nobody could edit that field until that date.
     */
    @WithDefault("24h")
    @DurationMin(seconds = 0)
    @DurationMax(days = 36_500)
    Duration maxAhead();
  }

  /** Time limits inside the database. */
  interface DatabaseSettings {
    /**
     * How long a push waits for another push of the same person, and a keyed operation for another
     * with its key.
     */
    @WithDefault("3s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration lockTimeout();

    /** How long one statement may take. */
    @WithDefault("10s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration statementTimeout();
  }

  /** Keyed operations. */
  interface IdempotencySettings {
    /**
     * How long a key is remembered. A repeat that comes later may be a new operation: clients must
     * not repeat after this time, so it is part of the API.
     */
    @WithDefault("30d")
    @DurationMin(minutes = 1)
    @DurationMax(days = 36_500)
    Duration retention();
  }

  /** Events that are told to the outside. */
  interface OutboxSettings {
    /** Where events are delivered by HTTP POST. Without it they stay, and nothing is tried. */
    Optional<
            @Pattern(
                regexp = ADDRESS,
                message = "must be an http or https address, without a user and a fragment")
            String>
        target();

    /** {@code http://host:port/path?query}, in the characters that an address may have. */
    String ADDRESS =
        "https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?"
            + "([/?]([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?";

    /** How often an event is tried before it is dead. */
    @WithDefault("20")
    @Min(1)
    @Max(1_000_000)
    int maxAttempts();

    /** How long the receiver may take to answer. */
    @WithDefault("10s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration timeout();

    /** The pause after the first failed try; it doubles with each one more. */
    @WithDefault("1s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration backOff();

    /** The longest pause between two tries. */
    @WithDefault("10m")
    @DurationMin(millis = 1)
    @DurationMax(days = 30)
    Duration maxBackOff();

    /** How long delivered events are kept. Events that are open or dead are never removed. */
    @WithDefault("30d")
    @DurationMin(seconds = 0)
    @DurationMax(days = 36_500)
    Duration retention();
  }
}
