package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Database;
import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service ends, in one way or another, while two hundred people push. */
@ExtendWith(Bench.Resolver.class)
class KilledServiceIT {
  private static final int PEOPLE = Integer.getInteger("faults.people", 200);
  private static final int PUSHES = Integer.getInteger("faults.pushes", 2);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  /** Delay and timeout of the shutdown, and what a busy machine needs. */
  private static final int GRACE_SECONDS = 15;

  @Test
  void killedAmidPushesTheServiceForgetsNothing(Bench bench) throws Exception {
    ServiceProcess first = bench.service();
    AtomicInteger port = new AtomicInteger(first.port());
    try (Crew crew = new Crew("killed", PEOPLE, SEED, false).begin(port::get, PUSHES)) {
      crew.awaitAnswers(PEOPLE + new Random(SEED).nextInt(PEOPLE));
      first.kill();
      assertThat(crew.isDone()).isFalse();
      ServiceProcess second = bench.service();
      port.set(second.port());
      crew.finish();
      assertThat(crew.count(Outcome.LOST)).isPositive();
      crew.check(second.port(), bench.databaseUrl());
    }
  }

  @Test
  void terminatedAmidPushesTheServiceAnswersWhatItHasAccepted(Bench bench) throws Exception {
    bench.service();
    try (ServiceProcess old = bench.replace();
        Crew crew = new Crew("terminated", PEOPLE, SEED, false);
        Waiting waiting = new Waiting(bench, old)) {
      ServiceProcess next = bench.service();
      AtomicInteger port = new AtomicInteger(old.port());
      crew.begin(port::get, 2 * PUSHES);
      crew.awaitAnswers(PEOPLE);
      long terminated = System.nanoTime();
      old.terminate();
      int ready = 200;
      while (ready == 200) {
        ready = old.status("/q/health/ready");
      }
      // What a load balancer does that has noticed: connections that are open stay open.
      port.set(next.port());
      assertThat(ready).isEqualTo(503);
      long unready = System.nanoTime();
      assertThat(old.status("/q/health/live")).isEqualTo(200);
      waiting.newRequestsAreRefusedAndTheOneInFlightEnds();
      int code = old.awaitExit();
      long ended = System.nanoTime();
      crew.finish();
      System.out.printf(
          "SIGTERM: not ready after %d ms, exit code %d after %d ms%n",
          TimeUnit.NANOSECONDS.toMillis(unready - terminated),
          code,
          TimeUnit.NANOSECONDS.toMillis(ended - terminated));
      assertThat(code).isIn(0, 143);
      assertThat(ended - terminated).isLessThan(TimeUnit.SECONDS.toNanos(GRACE_SECONDS));
      assertThat(crew.count(Outcome.LOST) + crew.count(Outcome.HALF_SENT)).isZero();
      crew.check(next.port(), bench.databaseUrl());
    }
  }

  @Test
  void bodiesThatDoNotEndAreAnsweredBeforeThePodLeaves(Bench bench) throws Exception {
    bench.service();
    List<RawConnection> slow = new ArrayList<>();
    try (ServiceProcess old = bench.replace()) {
      for (int i = 0; i < 20; i++) {
        RawConnection client = new RawConnection(old);
        slow.add(client);
        client.send(
            "POST /sync/push HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 5000\r\nAuthorization: Bearer "
                + ServiceProcess.token("slow")
                + "\r\n\r\n{");
      }
      old.terminate();
      assertThat(slow.get(0).trickle(' ', GRACE_SECONDS)).startsWith("HTTP/1.1 503 ");
      for (RawConnection each : slow.subList(1, slow.size())) {
        assertThat(each.readAll(1)).startsWith("HTTP/1.1 503 ").contains("UNAVAILABLE");
      }
      assertThat(old.awaitExit()).isIn(0, 143);
      assertThat(old.log()).doesNotContain(" ERROR ", "\tat ", "not initialized");
    } finally {
      for (RawConnection each : slow) {
        each.close();
      }
    }
  }

  /** Somebody whose push waits for a lock over the whole delay, and somebody who comes late. */
  private static final class Waiting implements AutoCloseable {
    private final ServiceProcess service;
    private final PromisedPerson early = new PromisedPerson("early", SEED, false);
    private final PromisedPerson late = new PromisedPerson("late", SEED, false);
    private final Database holder;

    Waiting(Bench bench, ServiceProcess service) throws Exception {
      this.service = service;
      holder = Database.at(bench.databaseUrl());
      early.edit(1);
      assertThat(early.push(service::port, 1)).isEqualTo(Outcome.ANSWERED);
      holder.begin().run("SELECT FROM sync_heads WHERE user_id = 'early' FOR UPDATE");
    }

    void newRequestsAreRefusedAndTheOneInFlightEnds() throws Exception {
      CompletableFuture<Outcome> inFlight = CompletableFuture.supplyAsync(this::pushEarly);
      Outcome outcome = Outcome.ANSWERED;
      while (outcome == Outcome.ANSWERED && !inFlight.isDone()) {
        late.edit(1);
        outcome = late.push(service::port, 1);
      }
      assertThat(outcome).isEqualTo(Outcome.LATER);
      holder.commit();
      assertThat(inFlight.get()).isEqualTo(Outcome.ANSWERED);
    }

    private Outcome pushEarly() {
      early.edit(1);
      return early.push(service::port, 1);
    }

    @Override
    public void close() throws Exception {
      holder.close();
      early.close();
      late.close();
    }
  }
}
