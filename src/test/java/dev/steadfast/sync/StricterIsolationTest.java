package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * Under Serializable a push loses against another one with 40001 and is judged again as a whole.
 */
@QuarkusTest
@TestProfile(StricterIsolationTest.Serializable.class)
class StricterIsolationTest {
  private static final int WRITERS = 6;
  private static final int PUSHES = 25;

  /** The pool's connections are serializable. */
  public static class Serializable implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("quarkus.datasource.jdbc.transaction-isolation-level", "serializable");
    }
  }

  @Test
  void everyOperationHasOneAnswerAndEveryRowItsNewestEdit() throws Exception {
    Api api = Api.as("serializable");
    api.push(whole("A:0", "r", 0));
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<CompletableFuture<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String device = "D" + writer;
      writers.add(CompletableFuture.supplyAsync(() -> write(api, device), threads));
    }
    int busy = 0;
    for (CompletableFuture<Integer> writer : writers) {
      busy += writer.get();
    }
    threads.shutdown();
    double again =
        given()
            .get("/q/metrics")
            .asString()
            .lines()
            .filter(
                line -> line.startsWith("steadfast_sync_push_retries_total{cause=\"database\"}"))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .sum();
    System.out.println("judged again: " + again + ", answered with 503 and repeated: " + busy);
    assertThat(again).isPositive();
    try (Database database = Database.session()) {
      assertThat(database.footprint("serializable")).isEqualTo("1/1/" + (1 + WRITERS * PUSHES));
      assertThat(
              database.one(
                  "SELECT marks->'reps'->>'opId' FROM sync_rows WHERE user_id = 'serializable'"))
          .isEqualTo("D" + (WRITERS - 1) + ":" + PUSHES);
    }
  }

  /** Pushes as a device does: a 503 is repeated until there is a verdict. */
  private static int write(Api api, String device) {
    int busy = 0;
    for (int n = 1; n <= PUSHES; n++) {
      String operation = op(device + ":" + n, "r", n, "\"reps\":" + n);
      Response answer = api.send(Api.batch(operation));
      while (answer.statusCode() == 503) {
        busy++;
        answer = api.send(Api.batch(operation));
      }
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.jsonPath().getString("verdicts[0].status")).isEqualTo("applied");
    }
    return busy;
  }
}
