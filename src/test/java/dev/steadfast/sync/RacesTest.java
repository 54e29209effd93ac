package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Races, really caused. */
@QuarkusTest
class RacesTest {
  private static final String ORPHANS =
      """
      SELECT (SELECT count(*) FROM sync_rows r WHERE r.user_id = ?
              AND NOT EXISTS (SELECT FROM sync_heads h WHERE h.user_id = r.user_id))
           + (SELECT count(*) FROM sync_verdicts v WHERE v.user_id = ?
              AND NOT EXISTS (SELECT FROM sync_heads h WHERE h.user_id = v.user_id))
      """;

  @Test
  void aPushThatWaitedForAnEraseFoundsThePersonAnew() throws Exception {
    Api api = Api.as("erased");
    api.push(whole("A:1", "r", 1), whole("A:2", "s", 1));
    try (Database eraser = Database.session();
        Database reader = Database.session()) {
      String epoch = reader.one("SELECT epoch FROM sync_heads WHERE user_id = 'erased'");
      eraser.begin().run("DELETE FROM sync_heads WHERE user_id = 'erased'");
      CompletableFuture<List<String>> push =
          CompletableFuture.supplyAsync(() -> api.verdicts(whole("A:1", "r", 1)));
      reader.awaitWaiting("INSERT INTO sync_heads");
      eraser.commit();
      assertThat(push.get()).containsExactly("A:1 applied");
      assertThat(reader.footprint("erased")).isEqualTo("1/1/1");
      assertThat(reader.one("SELECT seq FROM sync_heads WHERE user_id = 'erased'")).isEqualTo("1");
      assertThat(reader.one("SELECT epoch FROM sync_heads WHERE user_id = 'erased'"))
          .isNotEqualTo(epoch);
    }
  }

  @Test
  void erasesBetweenPushesLeaveNoOrphan() throws Exception {
    Api api = Api.as("orphans");
    CompletableFuture<Void> pushes =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 150; i++) {
                api.push(whole("A:" + i, "r" + i, i), whole("A:x", "x", 1));
              }
            });
    try (Database eraser = Database.session()) {
      int erased = 0;
      while (!pushes.isDone()) {
        erased += eraser.run("DELETE FROM sync_heads WHERE user_id = 'orphans'");
        assertThat(eraser.one(ORPHANS, "orphans", "orphans")).isEqualTo("0");
      }
      pushes.get();
      assertThat(erased).isGreaterThan(5);
      eraser.run("DELETE FROM sync_heads WHERE user_id = 'orphans'");
      assertThat(eraser.footprint("orphans")).isEqualTo("0/0/0");
    }
  }

  @Test
  void firstPushesOfNewPeopleComeInPairs() throws Exception {
    try (Database reader = Database.session()) {
      for (int i = 0; i < 20; i++) {
        String user = "new-" + i;
        Api api = Api.as(user);
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<List<String>>> pair = new ArrayList<>();
        for (int copy = 0; copy < 2; copy++) {
          pair.add(
              CompletableFuture.supplyAsync(
                  () -> {
                    await(start);
                    return api.verdicts(whole("A:1", "r", 1));
                  }));
        }
        assertThat(List.of(pair.get(0).get(), pair.get(1).get()))
            .containsExactlyInAnyOrder(List.of("A:1 applied"), List.of("A:1 duplicate"));
        assertThat(reader.footprint(user)).isEqualTo("1/1/1");
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aVerdictWrittenBehindTheLockIsTheAnswerAndNothingOfThatOperationIsWritten()
      throws Exception {
    Api api = Api.as("behind");
    try (Database other = Database.session();
        Database reader = Database.session()) {
      other
          .begin()
          .run(
              "INSERT INTO sync_verdicts (user_id, op_id, status, reason, code, fingerprint)"
                  + " VALUES ('behind', 'A:2', 'rejected', 'сказано раньше', 'CONTRACT', 0)");
      CompletableFuture<List<String>> push =
          CompletableFuture.supplyAsync(
              () ->
                  api.verdicts(
                      whole("A:1", "r", 1), op("A:2", "r", 2, "\"reps\":7"), whole("A:3", "s", 3)));
      reader.awaitWaiting("INSERT INTO sync_verdicts");
      other.commit();
      assertThat(push.get())
          .containsExactly("A:1 applied", "A:2 rejected · сказано раньше", "A:3 applied");
      assertThat(reader.rows("behind"))
          .hasSize(2)
          .first()
          .isEqualTo("r#1 {\"reps\": 5, \"exercise\": \"присед\", \"weightKg\": 100}");
      assertThat(reader.one("SELECT seq FROM sync_heads WHERE user_id = 'behind'")).isEqualTo("2");
    }
  }

  @Test
  void erasingAHeadLeavesNothingOfThatPersonAndEverythingOfOthers() throws Exception {
    Api.as("leaver").push(whole("A:1", "r", 1), op("A:2", "r", 2, "\"reps\":800"));
    Api.as("stayer").push(whole("A:1", "r", 1), op("A:2", "r", 2, "\"reps\":800"));
    try (Database database = Database.session()) {
      database.run("DELETE FROM sync_heads WHERE user_id = 'leaver'");
      for (String table :
          database.all(
              "SELECT table_name FROM information_schema.columns"
                  + " WHERE table_schema = 'public' AND column_name = 'user_id'")) {
        assertThat(database.one("SELECT count(*) FROM " + table + " WHERE user_id = 'leaver'"))
            .as(table)
            .isEqualTo("0");
      }
      assertThat(database.footprint("stayer")).isEqualTo("1/1/2");
    }
  }

  @Test
  void aHeadThatStaysLockedEndsTheRequestAndNoOperation() throws Exception {
    Api api = Api.as("locked");
    api.push(whole("A:1", "r", 1));
    try (Database holder = Database.session()) {
      holder.begin().run("SELECT FROM sync_heads WHERE user_id = 'locked' FOR UPDATE");
      api.send(Api.batch(op("A:2", "r", 2, "\"reps\":6")))
          .then()
          .statusCode(503)
          .contentType("application/problem+json")
          .header("Retry-After", org.hamcrest.Matchers.notNullValue());
      holder.commit();
    }
    assertThat(api.verdicts(op("A:2", "r", 2, "\"reps\":6"))).containsExactly("A:2 applied");
  }
}
