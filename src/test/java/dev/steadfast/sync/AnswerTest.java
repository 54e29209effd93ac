package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import dev.steadfast.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AnswerTest {

  @Test
  void nineHundredRefusalsOfOneLargeRowCarryItOnce() {
    String exercise = "\uD83D\uDE00".repeat(200);
    String[] batch =
        IntStream.range(0, 1_000)
            .mapToObj(
                n ->
                    n == 0
                        ? op(
                            "A:0",
                            "r",
                            1,
                            "\"exercise\":\"" + exercise + "\",\"weightKg\":1,\"reps\":1")
                        : op("A:" + n, "r", n, "\"reps\":800"))
            .toArray(String[]::new);
    String answer = Api.as("amplifier").push(batch).extract().asString();
    assertThat(answer.split("\"row\":", -1)).hasSize(2);
    assertThat(answer.split(exercise, -1)).hasSize(2);
    assertThat(answer.length()).isLessThan(Api.batch(batch).length() * 2);
    String again = Api.as("amplifier").push(batch).extract().asString();
    assertThat(again.split("\"row\":", -1)).hasSize(2);
  }

  @Test
  void theAnswerIsStreamed() {
    Api.as("streamed").push(whole("A:1", "r", 1)).header("Transfer-Encoding", equalTo("chunked"));
  }

  @Test
  void aRepeatWithAnotherContentSaysSoAndIsCounted() {
    Api api = Api.as("differs");
    api.push(whole("A:1", "r", 1));
    double before = counted();
    api.push(whole("A:1", "r", 2), whole("A:1", "r", 1))
        .body("verdicts[0].status", equalTo("duplicate"))
        .body("verdicts[0].differs", equalTo(true))
        .body("verdicts[1]", equalTo(java.util.Map.of("opId", "A:1", "status", "duplicate")));
    assertThat(counted()).isEqualTo(before + 1);
  }

  private static double counted() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("steadfast_sync_differs_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void everyMetricSaysWhatItCounts() {
    Api.as("metrics").push(whole("A:1", "r", 1));
    assertThat(given().get("/q/metrics").asString().lines())
        .filteredOn(line -> line.startsWith("# HELP steadfast_"))
        .isNotEmpty()
        .allMatch(line -> line.split(" ", 4)[3].length() > 5);
  }

  @Test
  void numbersComeBackAsTheyWereSent() {
    String answer =
        Api.as("numbers")
            .push(
                op("A:1", "r", 1, "\"exercise\":\"жим\",\"weightKg\":80.50,\"reps\":5"),
                op("A:2", "s", 1, "\"exercise\":\"жим\",\"weightKg\":1e300,\"reps\":5"),
                op("A:3", "r", 2, "\"reps\":800"),
                op("A:4", "s", 2, "\"reps\":800"))
            .extract()
            .asString();
    assertThat(answer).contains("\"weightKg\":80.50", "\"weightKg\":1e300,");
    String again = Api.as("numbers").push(op("A:4", "s", 2, "\"reps\":800")).extract().asString();
    assertThat(again).contains("\"weightKg\":1e300,");
  }

  @Test
  void theLimitsAreTheEnforcedOnes() {
    given()
        .auth()
        .oauth2(Api.as("limits").token())
        .get("/sync/limits")
        .then()
        .statusCode(200)
        .body("maxOperations", equalTo(1_000))
        .body("maxBodyBytes", equalTo(10 * 1024 * 1024))
        .body("maxRowBytes", equalTo(256 * 1024))
        .body("maxClockAheadMs", equalTo(86_400_000))
        .body("schema", equalTo(1))
        .body("now", greaterThan(System.currentTimeMillis() - 60_000));
  }

  @Test
  void theOrderOfFieldsInAnAnswerIsThatOfTheContract() {
    Api api = Api.as("fields");
    api.push(whole("A:1", "r", 5));
    api.push(op("A:2", "r", 3, "\"reps\":1,\"exercise\":\"x\",\"weightKg\":1"))
        .body("verdicts[0].lost", equalTo(List.of("exercise", "weightKg", "reps")));
  }
}
