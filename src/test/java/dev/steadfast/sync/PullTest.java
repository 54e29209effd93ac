package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class PullTest {
  private static final ObjectMapper STRICT =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static ValidatableResponse pull(Api api, String query) {
    return given()
        .auth()
        .oauth2(api.token())
        .get("/sync/pull" + (query.isEmpty() ? "" : "?" + query))
        .then();
  }

  private static JsonPath page(Api api, String query) {
    return pull(api, query).statusCode(200).extract().jsonPath();
  }

  @Test
  void fieldsThatShareAMarkMakeOneEntryAndEntriesComeInTheOrderOfTheirMarks() {
    Api api = Api.as("pull-entries");
    api.push(
        whole("A:1", "r", 5), op("B:1", "r", 9, "\"reps\":6"), op("a:1", "r", 9, "\"weightKg\":1"));
    pull(api, "cursor=0")
        .statusCode(200)
        .header("Cache-Control", "no-store")
        .body("changes.opId", equalTo(List.of("A:1", "B:1", "a:1")))
        .body("changes.rowId", equalTo(List.of("r", "r", "r")))
        .body("changes.at", equalTo(List.of(5, 9, 9)))
        .body("changes.seq", equalTo(List.of(3, 3, 3)))
        .body("changes[0].fields", equalTo(Map.of("exercise", "присед")))
        .body("changes[1].fields", equalTo(Map.of("reps", 6)))
        .body("cursor", equalTo(3))
        .body("hasMore", equalTo(false));
  }

  @Test
  void aPageHasWholeRowsAndTheNextOneGoesOnBehindIt() {
    Api api = Api.as("pull-pages");
    api.push(
        IntStream.range(0, 7).mapToObj(n -> whole("A:" + n, "r" + n, n)).toArray(String[]::new));
    api.push(op("B:1", "r0", 99, "\"reps\":6"));
    List<String> seen = new ArrayList<>();
    long cursor = 0;
    boolean more = true;
    while (more) {
      JsonPath page = page(api, "limit=3&cursor=" + cursor);
      assertThat(page.getList("changes.rowId").stream().distinct().count()).isLessThanOrEqualTo(3);
      seen.addAll(page.getList("changes.rowId"));
      cursor = page.getLong("cursor");
      more = page.getBoolean("hasMore");
    }
    assertThat(seen).containsExactly("r1", "r2", "r3", "r4", "r5", "r6", "r0", "r0");
    assertThat(cursor).isEqualTo(8);
    pull(api, "cursor=8").body("changes", equalTo(List.of())).body("cursor", equalTo(8));
  }

  @Test
  void aPageEndsAtOneMebibyteAndHasAtLeastOneRow() throws Exception {
    Api api = Api.as("pull-large");
    String text = "\uD83D\uDE00".repeat(200);
    for (int push = 0; push < 2; push++) {
      int first = push * 1_000;
      api.push(
          IntStream.range(first, first + 1_000)
              .mapToObj(
                  n ->
                      op(
                          "A:" + n,
                          "r" + n,
                          n,
                          "\"exercise\":\"" + text + "\",\"weightKg\":1,\"reps\":1"))
              .toArray(String[]::new));
    }
    Set<String> rows = new HashSet<>();
    long cursor = 0;
    int pages = 0;
    boolean more = true;
    while (more) {
      byte[] body = pull(api, "limit=1000&cursor=" + cursor).extract().asByteArray();
      assertThat(body.length).isLessThan(1024 * 1024 + 200);
      // Strictly: the page comes in pieces, and a reader that forgives would not see the seams.
      JsonNode page = STRICT.readTree(body);
      for (JsonNode change : page.path("changes")) {
        rows.add(change.path("rowId").textValue());
        assertThat(change.path("fields").path("exercise").textValue()).isEqualTo(text);
      }
      cursor = page.path("cursor").longValue();
      more = page.path("hasMore").booleanValue();
      pages++;
    }
    assertThat(rows).hasSize(2_000);
    assertThat(pages).isGreaterThan(1).isLessThan(6);
  }

  @Test
  void aPersonWithoutAHeadHasNothingAndNoEpoch() {
    Api api = Api.as("pull-nobody");
    pull(api, "cursor=0")
        .body("changes", equalTo(List.of()))
        .body("cursor", equalTo(0))
        .body("hasMore", equalTo(false))
        .body("epoch", nullValue());
    pull(api, "cursor=1").statusCode(409).body("code", equalTo("CURSOR_AHEAD"));
    pull(api, "epoch=00000000-0000-0000-0000-000000000000")
        .statusCode(409)
        .body("code", equalTo("EPOCH_CHANGED"));
  }

  @Test
  void aCursorBelongsToAnEpoch() throws Exception {
    Api api = Api.as("pull-epoch");
    api.push(whole("A:1", "r", 1), whole("A:2", "s", 1));
    String epoch = page(api, "").getString("epoch");
    pull(api, "cursor=2&epoch=" + epoch).statusCode(200);
    pull(api, "cursor=3&epoch=" + epoch).statusCode(409).body("code", equalTo("CURSOR_AHEAD"));
    try (Database operator = Database.session()) {
      operator.run("UPDATE sync_heads SET epoch = gen_random_uuid() WHERE user_id = 'pull-epoch'");
      pull(api, "cursor=2&epoch=" + epoch)
          .statusCode(409)
          .contentType("application/problem+json")
          .body("code", equalTo("EPOCH_CHANGED"));
      pull(api, "cursor=2").statusCode(200);
      operator.run("DELETE FROM sync_heads WHERE user_id = 'pull-epoch'");
      api.push(whole("B:1", "t", 1), whole("B:2", "u", 1), whole("B:3", "v", 1));
      pull(api, "cursor=2&epoch=" + epoch).statusCode(409).body("code", equalTo("EPOCH_CHANGED"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cursor=-1", "cursor=1.0", "cursor=1e3", "cursor=x", "cursor=9007199254740992",
    "cursor=99999999999999999999", "limit=0", "limit=1001", "limit=-5", "limit=ten"
  })
  void aWrongParameterIsNamed(String query) {
    pull(Api.as("pull-bad"), query)
        .statusCode(400)
        .body("code", equalTo("INVALID_PARAMETER"))
        .body("detail", org.hamcrest.Matchers.startsWith(query.substring(0, query.indexOf('='))));
  }

  @Test
  void withoutATokenThereIsNothing() {
    given().get("/sync/pull").then().statusCode(401).body("code", equalTo("UNAUTHENTICATED"));
    given().get("/sync/events").then().statusCode(401).body("code", equalTo("UNAUTHENTICATED"));
  }

  @Test
  void anEditAfterADeleteDoesNotResurrect() {
    Api api = Api.as("pull-deleted");
    api.push(
        whole("A:1", "r", 1),
        op("A:2", "r", 2, "\"deleted\":true"),
        op("B:1", "r", 3, "\"reps\":6"));
    assertThat(deleted(api)).containsExactly(true);
  }

  @Test
  void anInsertOverATombstoneDoesNotResurrect() {
    Api api = Api.as("pull-tombstone");
    api.push(whole("A:1", "r", 1), op("A:2", "r", 2, "\"deleted\":true"), whole("B:1", "r", 3));
    assertThat(deleted(api)).containsExactly(true);
  }

  @Test
  void aNewerUndeleteDoesResurrect() {
    Api api = Api.as("pull-undeleted");
    api.push(
        whole("A:1", "r", 1),
        op("A:2", "r", 5, "\"deleted\":true"),
        op("B:1", "r", 4, "\"deleted\":false"));
    assertThat(deleted(api)).containsExactly(true);
    api.push(op("B:2", "r", 6, "\"deleted\":false"));
    assertThat(deleted(api)).containsExactly(false);
  }

  private static List<Object> deleted(Api api) {
    return page(api, "").getList("changes.fields.deleted").stream()
        .filter(java.util.Objects::nonNull)
        .toList();
  }

  @Test
  void aRowWhoseFieldsLostEverywhereGetsNoNumberAndReachesNoDevice() {
    Api api = Api.as("pull-lost");
    api.push(whole("A:1", "r", 5));
    api.push(whole("B:1", "r", 4)).body("verdicts[0].lost.size()", equalTo(3));
    pull(api, "cursor=1").body("changes", equalTo(List.of())).body("cursor", equalTo(1));
  }

  @Test
  void aReaderAmongEightWritersMissesNothing() throws Exception {
    Api api = Api.as("pull-busy");
    int writers = 8;
    int pushes = 40;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      String device = "D" + w;
      running.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = 1; n <= pushes; n++) {
                  String batch =
                      Api.batch(
                          whole(device + ":" + n, "r" + n % 13, n),
                          whole(device + "x:" + n, device + n, n));
                  while (api.send(batch).statusCode() != 200) {
                    Thread.onSpinWait();
                  }
                }
              },
              threads));
    }
    Map<String, Object> seen = new HashMap<>();
    CompletableFuture<Void> all =
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
    long cursor = 0;
    boolean last = false;
    while (true) {
      boolean done = all.isDone();
      JsonPath page = page(api, "limit=7&cursor=" + cursor);
      for (Map<String, Object> entry : page.<Map<String, Object>>getList("changes")) {
        assertThat(((Number) entry.get("seq")).longValue()).isGreaterThan(cursor);
        seen.put((String) entry.get("rowId"), entry.get("seq") + " " + entry.get("opId"));
      }
      cursor = page.getLong("cursor");
      if (done && !page.getBoolean("hasMore")) {
        if (last) {
          break;
        }
        last = true;
      }
    }
    all.get();
    threads.shutdown();
    try (Database database = Database.session()) {
      List<String> rows =
          database.all(
              "SELECT row_id || '=' || seq || ' ' || (marks->'reps'->>'opId') FROM sync_rows"
                  + " WHERE user_id = 'pull-busy'");
      assertThat(seen.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()))
          .containsExactlyInAnyOrderElementsOf(rows);
      assertThat(rows).hasSize(13 + writers * pushes);
    }
  }

  @Test
  void twoHundredPeopleAtOnceDoNotSeeEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    List<CompletableFuture<Void>> people = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String user = "pull-person-" + i;
      people.add(
          CompletableFuture.runAsync(
              () -> {
                Api api = Api.as(user);
                api.push(whole("A:1", user, 1), op("A:2", user, 2, "\"reps\":800"));
                pull(api, "")
                    .body("changes.rowId", equalTo(List.of(user)))
                    .body("cursor", equalTo(1));
              },
              threads));
    }
    for (CompletableFuture<Void> person : people) {
      person.get();
    }
    threads.shutdown();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cursor=",
        "cursor",
        "limit=",
        "cursor=%20",
        "cursor=+1",
        "limit=0",
        "cursor=0&cursor=1"
      })
  void aParameterThatIsNoNumberIsRefused(String query) {
    given()
        .auth()
        .oauth2(Api.as("parameters").token())
        .urlEncodingEnabled(false)
        .get("/sync/pull?" + query)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("INVALID_PARAMETER"));
  }
}
