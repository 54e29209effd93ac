package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Database;
import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Idle sessions hold the heads of some people: their pushes are put off, the others are served. */
@ExtendWith(Bench.Resolver.class)
class BlockedIT {
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());
  private static final int BLOCKED = Bench.CONNECTIONS + 4;
  private static final int OTHERS = 4;

  /** All limits that a push can meet one after another, and what a busy machine needs. */
  private static final int LIMIT_SECONDS = Bench.ACQUISITION_SECONDS + Bench.LOCK_SECONDS + 6;

  @Test
  void oneLockedHeadIsNobodyElsesAffair(Bench bench) throws Exception {
    try (Scene scene = new Scene(bench, "head", 1)) {
      List<CompletableFuture<Long>> blocked = scene.pushBlocked();
      for (int i = 0; i < 20; i++) {
        for (PromisedPerson other : scene.others()) {
          other.edit(1);
          assertThat(other.push(scene.service::port, 1)).isEqualTo(Outcome.ANSWERED);
        }
      }
      scene.checkAllAfter(blocked);
    }
  }

  @Test
  void morePushesBlockedThanThereAreConnectionsEndInTimeAndTheOthersAreServed(Bench bench)
      throws Exception {
    try (Scene scene = new Scene(bench, "pool", BLOCKED)) {
      List<CompletableFuture<Long>> blocked = scene.pushBlocked();
      assertThat(scene.service.status("/q/health/live")).isEqualTo(200);
      int putOff = 0;
      for (PromisedPerson other : scene.others()) {
        other.edit(1);
        while (other.push(scene.service::port, 1) != Outcome.ANSWERED) {
          assertThat(++putOff).isLessThan(100);
        }
      }
      System.out.println("pool exhausted: others were put off " + putOff + " times, then served");
      scene.checkAllAfter(blocked);
    }
  }

  private static final class Scene implements AutoCloseable {
    private final Bench bench;
    private final ServiceProcess service;
    private final Crew crew;
    private final int held;
    private final Database holder;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Scene(Bench bench, String name, int held) throws Exception {
      this.bench = bench;
      this.held = held;
      service = bench.service();
      crew = new Crew(name, held + OTHERS, SEED, false);
      for (PromisedPerson person : crew.people()) {
        person.edit(1);
        assertThat(person.push(service::port, 1)).isEqualTo(Outcome.ANSWERED);
      }
      holder = Database.at(bench.databaseUrl()).begin();
      for (PromisedPerson person : crew.people().subList(0, held)) {
        holder.run("SELECT FROM sync_heads WHERE user_id = ? FOR UPDATE", person.user);
      }
    }

    List<PromisedPerson> others() {
      return crew.people().subList(held, held + OTHERS);
    }

    /**
     * Lets those push whose heads are held; how many nanoseconds it takes until they are put off.
     */
    List<CompletableFuture<Long>> pushBlocked() throws Exception {
      List<CompletableFuture<Long>> pushes = new ArrayList<>();
      for (PromisedPerson person : crew.people().subList(0, held)) {
        person.edit(1);
        pushes.add(
            CompletableFuture.supplyAsync(
                () -> {
                  long begun = System.nanoTime();
                  assertThat(person.push(service::port, 1)).isEqualTo(Outcome.LATER);
                  return System.nanoTime() - begun;
                },
                threads));
      }
      try (Database reader = Database.at(bench.databaseUrl())) {
        reader.awaitWaiting("INSERT INTO sync_heads");
      }
      return pushes;
    }

    /** Those who were blocked were told in time; when the heads are free, they are served too. */
    void checkAllAfter(List<CompletableFuture<Long>> blocked) throws Exception {
      long longest = 0;
      for (CompletableFuture<Long> push : blocked) {
        longest = Math.max(longest, push.get());
      }
      System.out.printf(
          "%d blocked pushes: 503 after at most %d ms%n",
          held, TimeUnit.NANOSECONDS.toMillis(longest));
      assertThat(longest).isLessThan(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
      holder.commit();
      for (PromisedPerson person : crew.people().subList(0, held)) {
        assertThat(person.push(service::port, 1)).isEqualTo(Outcome.ANSWERED);
      }
      crew.check(service.port(), bench.databaseUrl());
    }

    @Override
    public void close() throws Exception {
      holder.close();
      crew.close();
      threads.shutdownNow();
    }
  }
}
