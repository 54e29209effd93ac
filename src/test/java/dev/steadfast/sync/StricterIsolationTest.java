package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.steadfast.Api;
import dev.steadfast.Database;
import dev.steadfast.core.Contract;
import dev.steadfast.problem.ProblemException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under stricter levels a push loses with 40001 to another one, and is judged again as a whole. */
@QuarkusTest
class StricterIsolationTest {
  private static final int WRITERS = 6;
  private static final int PUSHES = 25;

  @Inject OracleServices services;
  @Inject Contract contract;

  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
  void everyOperationHasOneAnswerAndEveryRowItsNewestEdit(String isolation) throws Exception {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    PushService service = services.isolated(isolation, contract, metrics);
    push(service, isolation, whole("A:0", "r", 0));
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String device = "D" + writer;
      writers.add(CompletableFuture.runAsync(() -> write(service, isolation, device), threads));
    }
    for (CompletableFuture<Void> writer : writers) {
      writer.get();
    }
    threads.shutdown();
    double again = metrics.counter("steadfast.sync.push.retries", "cause", "database").count();
    System.out.println(isolation + ": judged again " + again + " times");
    assertThat(again).isPositive();
    try (Database database = Database.session()) {
      assertThat(database.footprint(isolation)).isEqualTo("1/1/" + (1 + WRITERS * PUSHES));
      assertThat(
              database.one(
                  "SELECT marks->'reps'->>'opId' FROM sync_rows WHERE user_id = ?", isolation))
          .isEqualTo("D" + (WRITERS - 1) + ":" + PUSHES);
    }
  }

  private static void write(PushService service, String user, String device) {
    for (int n = 1; n <= PUSHES; n++) {
      String operation = op(device + ":" + n, "r", n, "\"reps\":" + n);
      JsonNode answer = push(service, user, operation);
      assertThat(answer.at("/verdicts/0/status").textValue()).isEqualTo("applied");
    }
  }

  /** Pushes as a device does: a 503 is repeated until there is a verdict. */
  private static JsonNode push(PushService service, String user, String operation) {
    while (true) {
      try {
        byte[] body = Api.batch(operation).getBytes(StandardCharsets.UTF_8);
        return OracleServices.answer(service, user, body);
      } catch (ProblemException busy) {
        assertThat(busy.response().getStatus()).isEqualTo(503);
      } catch (java.io.IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
