package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.process.PromisedPerson.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two versions of the service on one database: the newer contract has a field more and allows more
 * repetitions. Each request goes to either, until the older one is told to end.
 */
@ExtendWith(Bench.Resolver.class)
class RollingUpdateIT {
  private static final int PEOPLE = Integer.getInteger("faults.people", 200) / 4;
  private static final int PUSHES = Integer.getInteger("faults.pushes", 2);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  @TempDir private Path directory;

  @Test
  void promisesHoldWhileTheContractChanges(Bench bench) throws Exception {
    ServiceProcess older = bench.service();
    try (ServiceProcess newer = bench.start("-Dsteadfast.contract.location=" + newerContract());
        Crew crew = new Crew("rolling", PEOPLE, SEED, true).roaming()) {
      AtomicBoolean both = new AtomicBoolean(true);
      IntSupplier port =
          () ->
              both.get() && ThreadLocalRandom.current().nextInt(3) > 0
                  ? older.port()
                  : newer.port();
      crew.begin(port, 2 * PUSHES);
      crew.awaitAnswers(PEOPLE * PUSHES);
      older.terminate();
      while (older.status("/q/health/ready") == 200) {
        Crew.sleep(10);
      }
      both.set(false);
      assertThat(older.awaitExit()).isIn(0, 143);
      crew.finish();
      assertThat(crew.count(Outcome.AHEAD)).isPositive();
      assertThat(crew.count(Outcome.LOST)).isZero();
      crew.check(newer.port(), bench.databaseUrl());
    }
  }

  private Path newerContract() throws Exception {
    Path newer = directory.resolve("newer.json");
    try (var diary = getClass().getResourceAsStream("/contract/training-diary.json")) {
      String rules = new String(diary.readAllBytes(), StandardCharsets.UTF_8);
      return Files.writeString(
          newer,
          rules
              .replace("\"version\": 1,", "\"version\": 2,")
              .replace("\"maximum\": 100,", "\"maximum\": 1000,")
              .replace("\"properties\": {", "\"properties\": {\"note\": {\"type\": \"string\"},"));
    }
  }
}
