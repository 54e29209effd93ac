package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.process.CuttingProxy.Direction;
import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The line is cut after every so many bytes, between client and service and between service and
 * database, in both directions. The client repeats until it has its answer.
 */
@ExtendWith(Bench.Resolver.class)
class LostBytesIT {
  /** Every how many bytes there is a cut; 1 takes minutes. */
  private static final int STRIDE = Integer.getInteger("faults.stride", 16);

  private static final int OPERATIONS = 3;
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  @Test
  void noByteBetweenClientAndServiceIsIndispensable(Bench bench) throws Exception {
    int port = bench.service().port();
    try (Crew crew = new Crew("cut", 2, SEED, false)) {
      List<CompletableFuture<Integer>> sweeps = new ArrayList<>();
      for (Direction direction : Direction.values()) {
        PromisedPerson person = crew.people().get(direction.ordinal());
        sweeps.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try (CuttingProxy proxy = new CuttingProxy(port)) {
                    return sweep(person, proxy, proxy.port(), direction);
                  } catch (java.io.IOException e) {
                    throw new IllegalStateException(e);
                  }
                }));
      }
      for (CompletableFuture<Integer> sweep : sweeps) {
        assertThat(sweep.get()).isGreaterThan(100 / STRIDE);
      }
      crew.check(port, bench.databaseUrl());
    }
  }

  @Test
  void noByteBetweenServiceAndDatabaseIsIndispensable(Bench bench) throws Exception {
    int port = bench.service().port();
    try (Crew crew = new Crew("severed", 1, SEED, false)) {
      for (Direction direction : Direction.values()) {
        int cuts = sweep(crew.people().get(0), bench.line(), port, direction);
        assertThat(cuts).isGreaterThan(100 / STRIDE);
      }
      crew.check(port, bench.databaseUrl());
    }
  }

  /** Cuts later and later, until a push passes uncut; so every part of the exchange had its cut. */
  private static int sweep(
      PromisedPerson person, CuttingProxy proxy, int port, Direction direction) {
    int cuts = 0;
    int lost = 0;
    boolean cut = true;
    long begun = System.nanoTime();
    for (long bytes = SEED % STRIDE; cut; bytes += STRIDE) {
      person.edit(OPERATIONS);
      proxy.cutAfter(direction, bytes, cuts % 2 == 0);
      Outcome outcome = person.push(() -> port, OPERATIONS);
      cut = !proxy.disarm();
      cuts += cut ? 1 : 0;
      lost += outcome == Outcome.ANSWERED ? 0 : 1;
      assertThat(cut || outcome == Outcome.ANSWERED).isTrue();
      for (int i = 0; person.queued() > 0; i++) {
        assertThat(i).as(person.user + " has no answer").isLessThan(100);
        Crew.sleep(outcome == Outcome.LATER ? 20 : 0);
        outcome = person.push(() -> port, OPERATIONS);
      }
    }
    System.out.printf(
        "%s %s: %d cuts, every %d bytes; %d requests without an answer; %d ms%n",
        person.user, direction, cuts, STRIDE, lost, (System.nanoTime() - begun) / 1_000_000);
    return cuts;
  }
}
