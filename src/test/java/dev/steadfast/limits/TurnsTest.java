package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void close() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  private static class Refused extends RuntimeException {}

  private static Turns<String> turns(long places, int mayWait, Duration wait) {
    return new Turns<>(VERTX, places, mayWait, wait, Refused::new);
  }

  /** What became of a request for a turn: {@code turn}, {@code refused}, or null while it waits. */
  private static final class Ask {
    private volatile String fate;
    private volatile Turns<String>.Turn turn;

    private Ask(Turns<String> turns, String key, long weight) {
      turns.take(
          key,
          weight,
          given -> {
            turn = given;
            fate = "turn";
          },
          refused -> fate = "refused");
    }
  }

  @Test
  void theThirdWaitsForTheFirstAndComesBeforeTheFourth() {
    Turns<String> turns = turns(2, 9, Duration.ofMinutes(1));
    Ask first = new Ask(turns, "anya", 1);
    Ask second = new Ask(turns, "anya", 1);
    Ask third = new Ask(turns, "anya", 1);
    Ask fourth = new Ask(turns, "anya", 1);
    Ask other = new Ask(turns, "boris", 1);
    assertThat(List.of(first.fate, second.fate, other.fate)).containsOnly("turn");
    assertThat(third.fate).isNull();
    first.turn.over();
    first.turn.over();
    assertThat(third.fate).isEqualTo("turn");
    assertThat(fourth.fate).isNull();
    second.turn.over();
    assertThat(fourth.fate).isEqualTo("turn");
  }

  @Test
  void nothingLightPassesSomethingHeavyThatWaits() {
    Turns<String> turns = turns(10, 9, Duration.ofMinutes(1));
    Ask light = new Ask(turns, "pod", 1);
    Ask heavy = new Ask(turns, "pod", 1_000);
    Ask late = new Ask(turns, "pod", 1);
    assertThat(heavy.fate).isNull();
    assertThat(late.fate).isNull();
    light.turn.over();
    assertThat(heavy.fate).isEqualTo("turn");
    assertThat(late.fate).isNull();
    heavy.turn.over();
    assertThat(late.fate).isEqualTo("turn");
    late.turn.over();
    assertThat(turns.size()).isZero();
  }

  @Test
  void oneMoreThanMayWaitIsRefusedAtOnceAndAWaiterInTime() throws Exception {
    Turns<String> turns = turns(1, 1, Duration.ofMillis(20));
    Ask holder = new Ask(turns, "anya", 1);
    Ask waiter = new Ask(turns, "anya", 1);
    assertThat(new Ask(turns, "anya", 1).fate).isEqualTo("refused");
    while (waiter.fate == null) {
      Thread.sleep(5);
    }
    assertThat(waiter.fate).isEqualTo("refused");
    assertThat(turns.waiting()).isZero();
    holder.turn.over();
    assertThat(turns.size()).isZero();
  }

  @Test
  void whenAHeavyWaiterLeavesTheLightOnesBehindItGoOn() throws Exception {
    Turns<String> turns = turns(10, 9, Duration.ofMillis(50));
    Ask holder = new Ask(turns, "pod", 5);
    Ask heavy = new Ask(turns, "pod", 10);
    Thread.sleep(25);
    Ask light = new Ask(turns, "pod", 1);
    while (heavy.fate == null) {
      Thread.sleep(5);
    }
    while (light.fate == null) {
      Thread.sleep(5);
    }
    assertThat(light.fate).isEqualTo("turn");
    holder.turn.over();
  }

  /**
   * Whoever asks is answered once, there are never more places taken than exist, and none is lost.
   */
  @Test
  void amongManyThreadsNoPlaceIsLostAndNoneGivenTwice() throws Exception {
    int places = 7;
    int threads = 8;
    int asks = 4_000;
    Turns<String> turns = turns(places, 20, Duration.ofMillis(2));
    AtomicLong[] taken = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
    AtomicInteger tooMany = new AtomicInteger();
    AtomicInteger granted = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(threads * asks);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Random random = new Random(t);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < asks; i++) {
                  int key = random.nextInt(taken.length);
                  int weight = 1 + random.nextInt(places);
                  turns.take(
                      "line" + key,
                      weight,
                      turn -> {
                        if (taken[key].addAndGet(weight) > places) {
                          tooMany.incrementAndGet();
                        }
                        granted.incrementAndGet();
                        Thread.yield();
                        taken[key].addAndGet(-weight);
                        turn.over();
                        answered.countDown();
                      },
                      refused -> answered.countDown());
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tooMany).hasValue(0);
    assertThat(granted.get()).isPositive();
    assertThat(turns.taken()).isZero();
    assertThat(turns.waiting()).isZero();
    assertThat(turns.size()).isZero();
  }
}
