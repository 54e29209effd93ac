package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The scenes that the service comes from, in their own words. */
@QuarkusTest
class SeedScenesTest {
  private static final String[] THREE = {
    op("A:1", "A-1", 1, "\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5"),
    op("A:2", "A-1", 2, "\"reps\":800"),
    op("A:3", "A-1", 3, "\"weightKg\":85")
  };

  private static final String[] SIX = {
    op("A:1", "A-1", 1, "\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5"),
    op("B:1", "A-1", 5, "\"weightKg\":90"),
    op("A:2", "A-1", 3, "\"weightKg\":85"),
    op("A:3", "A-2", 6, "\"weightKg\":60"),
    op("A:4", "A-1", 7, "\"reps\":800"),
    op("A:5", "A-1", 8, "\"reps\":8")
  };

  @Test
  void threeSends() throws Exception {
    assertThat(Api.as("аня").verdicts(THREE))
        .containsExactly("A:1 applied", "A:2 rejected · повторов больше сотни", "A:3 applied");
    assertThat(Api.as("аня").verdicts(THREE))
        .containsExactly("A:1 duplicate", "A:2 rejected · повторов больше сотни", "A:3 duplicate");
    assertThat(Api.as("боря").verdicts(THREE))
        .containsExactly("A:1 applied", "A:2 rejected · повторов больше сотни", "A:3 applied");
    try (Database database = Database.session()) {
      assertThat(
              database.one("SELECT count(*) FROM sync_verdicts WHERE user_id IN ('аня', 'боря')"))
          .isEqualTo("6");
    }
  }

  @Test
  void theBatchOfSix() throws Exception {
    Api.as("six")
        .push(SIX)
        .body("verdicts.opId", equalTo(List.of("A:1", "B:1", "A:2", "A:3", "A:4", "A:5")))
        .body(
            "verdicts.status",
            equalTo(List.of("applied", "applied", "applied", "rejected", "rejected", "applied")))
        .body("verdicts[2].lost", equalTo(List.of("weightKg")))
        .body("verdicts[3].reason", equalTo("нет полей: exercise, reps"))
        .body("verdicts[3].code", equalTo("CONTRACT"))
        .body("verdicts[3].row", equalTo(List.of()))
        .body("verdicts[4].reason", equalTo("повторов больше сотни"))
        .body("verdicts[4].row.opId", equalTo(List.of("A:1", "B:1", "A:5")))
        .body("verdicts[4].row.seq", equalTo(List.of(3, 3, 3)))
        .body("verdicts[4].row[2].fields.reps", equalTo(8))
        .body("left", nullValue());
    try (Database database = Database.session()) {
      assertThat(database.rows("six"))
          .containsExactly("A-1#3 {\"reps\": 8, \"exercise\": \"жим\", \"weightKg\": 90}");
      assertThat(database.one("SELECT seq FROM sync_heads WHERE user_id = 'six'")).isEqualTo("3");
      assertThat(
              database.one(
                  "SELECT marks->'weightKg' FROM sync_rows WHERE user_id = 'six' AND row_id = 'A-1'"))
          .isEqualTo("{\"at\": 5, \"opId\": \"B:1\"}");
    }
  }

  @Test
  void twoCopiesOfABatchAtOnceAndTheSecondWaitsForTheHead() throws Exception {
    Api api = Api.as("two-copies");
    try (Database first = Database.session();
        Database reader = Database.session()) {
      // The first copy, held open before its COMMIT, by hand: what it does is what a push does.
      api.push(op("A:0", "A-0", 1, "\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5"));
      first.begin().run("SELECT seq FROM sync_heads WHERE user_id = 'two-copies' FOR UPDATE");
      CompletableFuture<List<String>> one =
          CompletableFuture.supplyAsync(() -> api.verdicts(THREE));
      reader.awaitWaiting("INSERT INTO sync_heads");
      CompletableFuture<List<String>> two =
          CompletableFuture.supplyAsync(() -> api.verdicts(THREE));
      first.commit();
      List<String> applied =
          List.of("A:1 applied", "A:2 rejected · повторов больше сотни", "A:3 applied");
      List<String> repeated =
          List.of("A:1 duplicate", "A:2 rejected · повторов больше сотни", "A:3 duplicate");
      assertThat(List.of(one.get(), two.get())).containsExactlyInAnyOrder(applied, repeated);
      assertThat(reader.rows("two-copies"))
          .last()
          .isEqualTo("A-1#3 {\"reps\": 5, \"exercise\": \"жим\", \"weightKg\": 85}");
      assertThat(reader.one("SELECT seq FROM sync_heads WHERE user_id = 'two-copies'"))
          .isEqualTo("3");
    }
  }

  @Test
  void aQueueOfTwelveHundredGoesInTwoSends() {
    String insert = op("A:1", "A-1", 1, "\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5");
    String[] queue =
        IntStream.rangeClosed(1, 1_200)
            .mapToObj(
                n -> n == 1 ? insert : op("A:" + n, "A-1", n, "\"weightKg\":" + (80 + n % 20)))
            .toArray(String[]::new);
    Api api = Api.as("long-queue");
    api.push(queue)
        .body("verdicts.size()", equalTo(1_000))
        .body("verdicts.findAll { it.status == 'applied' }.size()", equalTo(1_000))
        .body("left.count", equalTo(200))
        .body("left.code", equalTo("BATCH_LIMIT"));
    String[] rest = java.util.Arrays.copyOfRange(queue, 1_000, 1_200);
    api.push(rest).body("verdicts.size()", equalTo(200)).body("left", nullValue());
    api.push(rest).body("verdicts.findAll { it.status == 'duplicate' }.size()", equalTo(200));
  }

  @Test
  void namesAreOrderedByCodeUnitWhateverTheDatabaseThinks() throws Exception {
    try (Database database = Database.session()) {
      assertThat(database.one("SELECT 'B:1' < 'a:1'")).isEqualTo("f");
      assertThat(database.one("SELECT 'B:1' COLLATE \"C\" < 'a:1' COLLATE \"C\"")).isEqualTo("t");
      Api.as("order")
          .push(
              op("Z:1", "r", 1, "\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5"),
              op("a:1", "r", 5, "\"weightKg\":1"),
              op("B:1", "r", 5, "\"weightKg\":2"))
          .body("verdicts[2].lost", equalTo(List.of("weightKg")));
      Api.as("order").push(op("B:2", "r", 5, "\"reps\":1"), op("a:2", "r", 5, "\"reps\":2"));
      assertThat(database.rows("order").get(0)).contains("\"reps\": 2", "\"weightKg\": 1");
    }
  }

  /** The server logs every failed statement: a repeat is not a failure, and aborts nothing. */
  @AfterAll
  static void noStatementEverFailed() throws Exception {
    assertThat(Files.readString(serverLog()).substring(logBefore))
        .doesNotContain("duplicate key value", "current transaction is aborted", "ERROR");
  }

  @BeforeAll
  static void rememberTheLog() throws Exception {
    String log = Files.readString(serverLog());
    assertThat(log).contains("database system is ready to accept connections");
    logBefore = log.length();
  }

  private static int logBefore;

  private static Path serverLog() {
    return Path.of("target", "postgres", ProcessHandle.current().pid() + ".log");
  }
}
