package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.steadfast.problem.ProblemException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {
  private static final long SEED = 7;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  /** 1,000 for all, 250 for one. */
  private final HeldMemory memory = new HeldMemory(1_000, 100, metrics);

  @Test
  void oneMayHoldAQuarterAndAllTogetherNoMoreThanThereIs() {
    memory.hold("a").add(200);
    refuses(429, memory.hold("a"), 51);
    memory.hold("a").add(50);
    for (String other : List.of("b", "c", "d")) {
      memory.hold(other).add(250);
    }
    refuses(503, memory.hold("e"), 1);
    assertThat(held()).isEqualTo(1_000);
  }

  @Test
  void whatIsLetGoOfIsThereAgain() {
    HeldMemory.Hold first = memory.hold("a");
    first.add(250);
    first.release();
    first.release();
    refuses(503, first, 1);
    assertThat(held()).isZero();
    memory.hold("a").add(250);
  }

  @Test
  void theLargestBodyFitsTwice() {
    new HeldMemory(10, 100, metrics).hold("a").add(200);
    refuses(429, new HeldMemory(10, 100, metrics).hold("a"), 201);
  }

  @Test
  void nobodyIsCountedForNothing() {
    Random random = new Random(SEED);
    Map<HeldMemory.Hold, String> holds = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      String user = String.valueOf(random.nextInt(5));
      HeldMemory.Hold hold = memory.hold(user);
      try {
        hold.add(random.nextInt(60));
        hold.add(random.nextInt(60));
      } catch (ProblemException e) {
        assertThat(e.response().getStatus()).isIn(429, 503);
      }
      holds.put(hold, user);
      if (random.nextInt(3) == 0) {
        new ArrayList<>(holds.keySet()).forEach(HeldMemory.Hold::release);
        holds.clear();
        assertThat(held()).isZero();
      }
    }
    holds.keySet().forEach(HeldMemory.Hold::release);
    for (int user = 0; user < 4; user++) {
      memory.hold(String.valueOf(user)).add(250);
    }
  }

  private static void refuses(int status, HeldMemory.Hold hold, long more) {
    assertThatThrownBy(() -> hold.add(more))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.response().getStatus()).isEqualTo(status));
  }

  private double held() {
    return metrics.get("steadfast.limits.held.bytes").gauge().value();
  }
}
