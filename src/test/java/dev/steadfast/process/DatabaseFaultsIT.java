package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The database crashes, or is away, while people push; the service is never restarted. */
@ExtendWith(Bench.Resolver.class)
class DatabaseFaultsIT {
  private static final int PEOPLE = Integer.getInteger("faults.people", 200) / 4;
  private static final int PUSHES = Integer.getInteger("faults.pushes", 2);
  private static final int AWAY_SECONDS = Integer.getInteger("faults.away-seconds", 6);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  private interface Fault {
    void happen() throws Exception;
  }

  @Test
  void whatWasAnsweredSurvivesCrashesOfTheDatabase(Bench bench) throws Exception {
    ServiceProcess service = bench.service();
    OwnPostgres postgres = bench.postgres();
    try (Crew crew = new Crew("crash", PEOPLE, SEED, false).begin(service::port, 2 * PUSHES)) {
      for (Fault crash :
          new Fault[] {postgres::stopImmediately, postgres::killPostmaster, postgres::kill}) {
        crew.awaitAnswers(crew.count(Outcome.ANSWERED) + PEOPLE / 2);
        crash.happen();
        assertThat(crew.isDone()).isFalse();
        postgres.start();
      }
      crew.finish();
      assertThat(crew.count(Outcome.LATER)).isPositive();
      assertThat(crew.count(Outcome.LOST)).isZero();
      crew.check(service.port(), bench.databaseUrl());
    }
  }

  @Test
  void theDatabaseMayBeAwayForAWhile(Bench bench) throws Exception {
    away(bench, "away", bench.postgres()::stop, bench.postgres()::start);
  }

  @Test
  void theNetworkToTheDatabaseMayVanishWithoutAWord(Bench bench) throws Exception {
    away(bench, "silent", bench.line()::fallSilent, bench.line()::speakAgain);
  }

  private static void away(Bench bench, String name, Fault leave, Fault comeBack) throws Exception {
    ServiceProcess service = bench.service();
    try (Crew crew = new Crew(name, PEOPLE, SEED, false).begin(service::port, 2 * PUSHES)) {
      crew.awaitAnswers(PEOPLE);
      long left = System.nanoTime();
      leave.happen();
      await(service, 503);
      long noticed = System.nanoTime();
      while (System.nanoTime() - left < TimeUnit.SECONDS.toNanos(AWAY_SECONDS)) {
        assertThat(status(service, "/q/health/live")).isEqualTo(200);
        assertThat(status(service, "/q/health/ready")).isEqualTo(503);
        Crew.sleep(100);
      }
      assertThat(crew.isDone()).isFalse();
      comeBack.happen();
      long back = System.nanoTime();
      await(service, 200);
      System.out.printf(
          "%s for %d s: not ready after %d ms, ready %d ms after it came back%n",
          name,
          AWAY_SECONDS,
          TimeUnit.NANOSECONDS.toMillis(noticed - left),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - back));
      crew.finish();
      assertThat(crew.count(Outcome.LOST)).isZero();
      crew.check(service.port(), bench.databaseUrl());
    }
  }

  /** Waits for a readiness; liveness never fails meanwhile. */
  private static void await(ServiceProcess service, int readiness) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (status(service, "/q/health/ready") != readiness) {
      assertThat(status(service, "/q/health/live")).isEqualTo(200);
      assertThat(System.nanoTime()).as("readiness never was " + readiness).isLessThan(end);
      Crew.sleep(50);
    }
  }

  private static int status(ServiceProcess service, String path) throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return service.status(path);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
        .completeOnTimeout(-1, 10, TimeUnit.SECONDS)
        .get();
  }
}
