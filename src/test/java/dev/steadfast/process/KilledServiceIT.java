package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service is killed while two hundred people push. */
@ExtendWith(Bench.Resolver.class)
class KilledServiceIT {
  private static final int PEOPLE = Integer.getInteger("faults.people", 200);
  private static final int PUSHES = Integer.getInteger("faults.pushes", 4);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

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
}
