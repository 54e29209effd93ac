package dev.steadfast.start;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * The settings of the service's own, all under {@code steadfast.}. A value out of range, and a name
 * that is not listed here, stop the start.
 */
@ConfigMapping(prefix = "steadfast")
public interface Settings {

  /** The row contract. */
  ContractSettings contract();

  /** Clocks. */
  ClockSettings clock();

  /** Time limits inside the database. */
  DatabaseSettings database();

  /** Streams of events. */
  EventSettings events();

  /** Streams of events. */
  interface EventSettings {
    /** How often a silent stream says that it is still there. */
    @WithDefault("15s")
    @DurationMin(millis = 100)
    @DurationMax(hours = 1)
    Duration heartbeat();

    /** How many streams a pod keeps open; one more is answered with 503. */
    @WithDefault("10000")
    @Min(1)
    int maxListeners();
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
    /** How long a push waits for another push of the same person. */
    @WithDefault("3s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration lockTimeout();

    /** How long one statement of a push may take. */
    @WithDefault("10s")
    @DurationMin(millis = 1)
    @DurationMax(hours = 1)
    Duration statementTimeout();
  }
}
