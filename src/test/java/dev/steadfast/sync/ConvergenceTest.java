package dev.steadfast.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens on the way, in the end all devices of a person and the server hold the same
 * rows, and every operation has exactly one verdict.
 */
@QuarkusTest
class ConvergenceTest {
  private static final int HISTORIES = Integer.getInteger("oracle.convergences", 400);
  private static final int THREADS = 2;

  @Inject OracleServices services;
  @Inject PullService pulls;

  @TempDir Path directory;

  @Test
  void allDevicesOfAPersonEndWithTheSameRows() throws Exception {
    long seed = Long.getLong("oracle.seed", System.nanoTime());
    Map<OracleContract, PushService> pods = services.pods(directory);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < HISTORIES; i++) {
      int history = i;
      running.add(threads.submit(() -> new Life(pods, seed, history).run()));
    }
    int operations = 0;
    for (Future<Integer> life : running) {
      operations += life.get();
    }
    threads.shutdown();
    System.out.printf(
        "%d lives, %d operations converged, -Doracle.seed=%d%n", HISTORIES, operations, seed);
  }

  /** One person, their devices, and the network between. */
  private final class Life {
    private final Map<OracleContract, PushService> pods;
    private final String said;
    private final String user;
    private final Random random;
    private final List<ModelDevice> devices = new ArrayList<>();
    private final List<ObjectNode> made = new ArrayList<>();
    private final Map<String, String> answers = new HashMap<>();
    private PushService pod;

    Life(Map<OracleContract, PushService> pods, long seed, int history) {
      this.pods = pods;
      this.random = new Random(new SplittableRandom(seed + history).nextLong());
      this.user = "life-" + seed + "-" + history;
      this.said = "-Doracle.seed=%d, life %d".formatted(seed, history);
      this.pod = pods.get(OracleContract.STRICT);
      int count = 2 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        ModelDevice.Kind kind = ModelDevice.Kind.values()[random.nextInt(2)];
        devices.add(new ModelDevice("aBzQ7".charAt(i) + "", kind));
      }
    }

    int run() throws Exception {
      int steps = 10 + random.nextInt(30);
      for (int step = 0; step < steps; step++) {
        if (step == steps / 2) {
          pod = pods.get(OracleContract.RELAXED);
        }
        act(devices.get(random.nextInt(devices.size())), step);
      }
      for (int round = 0; round < 2; round++) {
        for (ModelDevice device : devices) {
          while (device.queued() > 0) {
            device.answered(push(device.batch(1 + random.nextInt(20))));
          }
          pullAll(device, 1 + random.nextInt(5));
        }
      }
      check();
      return made.size();
    }

    private void act(ModelDevice device, int step) throws Exception {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> edit(device, step);
        case 4, 5, 6 -> sync(device);
        case 7 -> pull(device, 1 + random.nextInt(3));
        case 8 -> pullAll(device, 1);
        default -> replayOldOnes();
      }
    }

    private void edit(ModelDevice device, int step) {
      List<String> known = device.rowIds();
      boolean insert = known.isEmpty() || random.nextInt(4) == 0;
      String rowId = insert ? device.newRowId() : known.get(random.nextInt(known.size()));
      ObjectNode fields = LoopOracle.JSON.createObjectNode();
      if (insert || random.nextInt(5) == 0) {
        fields.put("exercise", "жим").put("weightKg", 80).put("reps", reps());
      } else {
        switch (random.nextInt(4)) {
          case 0 -> fields.put("reps", reps());
          case 1 -> fields.put("weightKg", 60 + random.nextInt(40)).put("reps", reps());
          case 2 -> fields.put("exercise", random.nextBoolean() ? "присед" : "тяга");
          default -> fields.put("deleted", random.nextInt(3) > 0);
        }
      }
      // Clocks differ by a little, so that times are equal now and then.
      made.add(device.edit(rowId, fields, 1_000 + step / 4 + random.nextInt(3)));
    }

    private int reps() {
      return random.nextInt(6) == 0 ? 150 + random.nextInt(2) * 2_000 : random.nextInt(20);
    }

    private void sync(ModelDevice device) throws Exception {
      if (device.queued() > 0) {
        int fate = random.nextInt(4);
        if (fate > 0) {
          JsonNode answer = push(device.batch(1 + random.nextInt(6)));
          if (fate > 1) {
            device.answered(answer);
          }
        }
      }
      if (random.nextBoolean()) {
        pullAll(device, 1 + random.nextInt(4));
      }
    }

    /** A file with old operations is opened somewhere: they are sent once more, in any order. */
    private void replayOldOnes() throws Exception {
      ArrayNode batch = LoopOracle.JSON.createArrayNode();
      for (ObjectNode operation : made) {
        if (answers.containsKey(operation.get("opId").textValue()) && random.nextInt(3) == 0) {
          batch.insert(random.nextInt(batch.size() + 1), operation);
        }
      }
      if (!batch.isEmpty()) {
        push(batch);
      }
    }

    private JsonNode push(ArrayNode batch) throws Exception {
      byte[] body = ("{\"batch\":" + batch + "}").getBytes(StandardCharsets.UTF_8);
      JsonNode answer = OracleServices.answer(pod, user, body);
      for (JsonNode verdict : answer.get("verdicts")) {
        boolean rejected = verdict.get("status").textValue().equals("rejected");
        String now = rejected ? verdict.get("reason").textValue() : "accepted";
        String before = answers.putIfAbsent(verdict.get("opId").textValue(), now);
        boolean duplicate = verdict.get("status").textValue().equals("duplicate");
        assertThat(before == null || before.equals(now)).as(said + " " + verdict).isTrue();
        assertThat(rejected || duplicate == (before != null)).as(said + " " + verdict).isTrue();
      }
      return answer;
    }

    private boolean pull(ModelDevice device, int limit) throws Exception {
      ByteArrayOutputStream page = new ByteArrayOutputStream();
      pulls.pull(user, device.cursor(), limit, device.epoch()).forEach(page::writeBytes);
      return device.pulled(LoopOracle.JSON.readTree(page.toByteArray()));
    }

    private void pullAll(ModelDevice device, int limit) throws Exception {
      while (pull(device, limit)) {
        if (random.nextInt(4) == 0) {
          sync(devices.get(random.nextInt(devices.size())));
        }
      }
    }

    private void check() throws Exception {
      try (Database database = Database.session()) {
        Map<String, Map<String, String>> server = new TreeMap<>();
        for (String row :
            database.all(
                "SELECT json_build_array(row_id, fields)::text FROM sync_rows WHERE user_id = ?",
                user)) {
          JsonNode pair = LoopOracle.JSON.readTree(row);
          Map<String, String> fields = new TreeMap<>();
          pair.get(1)
              .properties()
              .forEach(field -> fields.put(field.getKey(), ModelDevice.text(field.getValue())));
          server.put(pair.get(0).textValue(), fields);
        }
        for (ModelDevice device : devices) {
          assertThat(device.visible()).as(said).isEqualTo(server);
        }
        assertThat(database.one("SELECT count(*) FROM sync_verdicts WHERE user_id = ?", user))
            .as(said)
            .isEqualTo(Integer.toString(made.size()));
        assertThat(answers).as(said).hasSize(made.size());
      }
    }
  }
}
