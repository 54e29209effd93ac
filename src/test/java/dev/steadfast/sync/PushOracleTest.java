package dev.steadfast.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.steadfast.Database;
import dev.steadfast.dev.EmbeddedRoles;
import dev.steadfast.problem.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The set-based acceptance against the loop: in random histories both end in the same verdicts,
 * rows, marks, numbers and memory.
 */
@QuarkusTest
class PushOracleTest {
  private static final int HISTORIES = Integer.getInteger("oracle.histories", 2_400);
  private static final int THREADS = 2;

  @Inject OracleServices pods;

  @TempDir Path directory;

  @Test
  void bothEndInTheSameVerdictsRowsMarksNumbersAndMemory() throws Exception {
    long seed = Long.getLong("oracle.seed", System.nanoTime());
    Map<OracleContract, PushService> services = pods.pods(directory);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> futures = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      futures.add(threads.submit(() -> run(services, seed, first)));
    }
    int pushes = 0;
    for (Future<Integer> future : futures) {
      pushes += future.get();
    }
    threads.shutdown();
    System.out.printf("%d histories, %d pushes, -Doracle.seed=%d%n", HISTORIES, pushes, seed);
    System.out.println("met: " + met);
    assertThat(met.keySet()).containsAll(HISTORIES < 1_000 ? List.of() : EVERYTHING);
  }

  /** What the histories must have met, or this test would prove little. */
  private static final List<String> EVERYTHING =
      List.of(
          "applied",
          "duplicate",
          "rejected",
          "lost",
          "differs",
          "left",
          "refused whole",
          "row",
          "CONTRACT",
          "CLOCK_AHEAD",
          "не тот вид",
          "не сохранить",
          "не число",
          "дважды",
          "повторов больше сотни",
          "нет полей: exercise, weightKg, reps");

  private final Map<String, Integer> met = new ConcurrentHashMap<>();

  private void meet(JsonNode answer) {
    if (answer == null) {
      met.merge("refused whole", 1, Integer::sum);
      return;
    }
    answer.fieldNames().forEachRemaining(name -> met.merge(name, 1, Integer::sum));
    for (JsonNode verdict : answer.get("verdicts")) {
      verdict.fieldNames().forEachRemaining(name -> met.merge(name, 1, Integer::sum));
      for (String name : List.of("status", "code", "reason")) {
        met.merge(verdict.path(name).asText(), 1, Integer::sum);
      }
    }
  }

  private int run(Map<OracleContract, PushService> services, long seed, int first)
      throws SQLException, IOException {
    int pushes = 0;
    String url = Database.url(EmbeddedRoles.SUPERUSER);
    try (Connection loop = DriverManager.getConnection(url);
        Connection reader = DriverManager.getConnection(url)) {
      for (int i = first; i < HISTORIES; i += THREADS) {
        Random random = new Random(new SplittableRandom(seed + i).nextLong());
        List<History.Push> history = new History(random, System.currentTimeMillis()).pushes();
        LoopOracle oracle = new LoopOracle(loop, "loop-" + seed + "-" + i);
        String user = "sets-" + seed + "-" + i;
        for (History.Push push : history) {
          String said =
              "-Doracle.seed=%d, history %d, %s %s"
                  .formatted(seed, i, push.contract(), push.json());
          JsonNode expected = oracle.push(push.contract(), push.batch());
          JsonNode answer = push(services.get(push.contract()), user, push.json());
          assertThat(normal(answer)).as(said).isEqualTo(normal(expected));
          assertThat(state(reader, user))
              .as(said)
              .isEqualTo(state(reader, "loop-" + seed + "-" + i));
          meet(answer);
          pushes++;
        }
      }
    }
    return pushes;
  }

  private static JsonNode push(PushService service, String user, String json) throws IOException {
    try {
      return OracleServices.answer(service, user, json.getBytes(StandardCharsets.UTF_8));
    } catch (ProblemException e) {
      return null;
    }
  }

  /** Numbers by value: the database is asked for the one answer and not for the other. */
  private static String normal(JsonNode answer) {
    if (answer == null) {
      return "SCHEMA_AHEAD";
    }
    return sorted(answer).toString();
  }

  private static JsonNode sorted(JsonNode node) {
    if (node.isArray()) {
      ArrayNode array = LoopOracle.JSON.createArrayNode();
      node.forEach(element -> array.add(sorted(element)));
      return array;
    }
    if (node.isObject()) {
      ObjectNode object = LoopOracle.JSON.createObjectNode();
      List<String> names = new ArrayList<>();
      node.fieldNames().forEachRemaining(names::add);
      names.stream().sorted().forEach(name -> object.set(name, sorted(node.get(name))));
      return object;
    }
    return node.isNumber()
        ? LoopOracle.JSON.getNodeFactory().textNode(node.decimalValue().toPlainString())
        : node;
  }

  private static String state(Connection reader, String user) throws SQLException {
    String sql =
        """
        SELECT 'head ' || seq FROM sync_heads WHERE user_id = ?
        UNION ALL
        (SELECT concat_ws(' ', row_id, seq, fields::text, marks::text)
         FROM sync_rows WHERE user_id = ? ORDER BY row_id)
        UNION ALL
        (SELECT concat_ws(' ', op_id, status, code, reason)
         FROM sync_verdicts WHERE user_id = ? ORDER BY op_id)
        """;
    StringBuilder state = new StringBuilder();
    try (PreparedStatement statement = reader.prepareStatement(sql)) {
      for (int i = 1; i <= 3; i++) {
        statement.setString(i, user);
      }
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          state.append(result.getString(1)).append('\n');
        }
      }
    }
    return state.toString();
  }
}
