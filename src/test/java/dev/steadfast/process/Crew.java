package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.steadfast.Database;
import dev.steadfast.process.PromisedPerson.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** People who push at once, each with one device, and repeat until everything has its answer. */
final class Crew implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;

  private final String name;
  private final long seed;
  private final List<PromisedPerson> people = new ArrayList<>();
  private final Map<Outcome, AtomicInteger> outcomes = new EnumMap<>(Outcome.class);
  private final List<CompletableFuture<Void>> running = new ArrayList<>();
  private final ExecutorService threads;
  private volatile boolean broken;
  private volatile boolean ending;
  private boolean roams;

  Crew(String name, int count, long seed, boolean contractChanges) {
    this.name = name;
    this.seed = seed;
    for (int i = 0; i < count; i++) {
      people.add(new PromisedPerson(name + "-" + i, seed, contractChanges));
    }
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new AtomicInteger());
    }
    threads = Executors.newFixedThreadPool(count);
  }

  List<PromisedPerson> people() {
    return people;
  }

  int count(Outcome outcome) {
    return outcomes.get(outcome).get();
  }

  /** Everybody asks for the port before each request, instead of keeping a connection open. */
  Crew roaming() {
    roams = true;
    return this;
  }

  /**
   * Lets everybody begin: so many pushes of some operations each, and on until the end is called.
   */
  Crew begin(IntSupplier port, int pushes) {
    for (PromisedPerson person : people) {
      running.add(CompletableFuture.runAsync(() -> live(person, port, pushes), threads));
    }
    return this;
  }

  private void live(PromisedPerson person, IntSupplier port, int pushes) {
    Random random = new Random(seed + person.user.hashCode());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    try {
      for (int i = 0; (i < pushes || !ending) && !broken; i++) {
        // The fault must find everybody at work, however fast the machine is.
        sleep(i < pushes ? 0 : 150 + random.nextInt(100));
        int size = 1 + random.nextInt(4);
        person.edit(size);
        while (person.queued() > 0 && !broken) {
          Outcome outcome = person.push(port, size);
          outcomes.get(outcome).incrementAndGet();
          if (roams) {
            person.close();
          }
          pause(outcome, person);
          assertThat(System.nanoTime()).as(person.user + " has no answer").isLessThan(end);
        }
      }
    } catch (RuntimeException | Error e) {
      broken = true;
      throw e;
    }
  }

  /** As a device does it: what {@code Retry-After} says, and a little chance. */
  private static void pause(Outcome outcome, PromisedPerson person) {
    int chance = ThreadLocalRandom.current().nextInt(100);
    switch (outcome) {
      case ANSWERED -> {}
      case LATER -> sleep(1_000 * Math.min(3, person.retryAfterSeconds()) + chance);
      case REFUSED -> sleep(300 + chance);
      default -> sleep(50 + chance);
    }
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until so many pushes were answered; everybody still goes on. */
  void awaitAnswers(int answers) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (count(Outcome.ANSWERED) < answers && !broken) {
      sleep(1);
      assertThat(System.nanoTime()).as("answers").isLessThan(end);
    }
  }

  boolean isDone() {
    return broken || running.stream().allMatch(CompletableFuture::isDone);
  }

  /** Calls the end, and waits until everything that was edited has its answer. */
  void finish() throws Exception {
    ending = true;
    for (CompletableFuture<Void> each : running) {
      each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    running.clear();
    System.out.println(this);
  }

  /** Compares what was said with the memory, the rows, the heads, a pull, and a repeat of all. */
  void check(int port, String databaseUrl) throws Exception {
    Map<String, List<String>> rows = new HashMap<>();
    Map<String, Map<String, String>> memory = new HashMap<>();
    Map<String, Long> heads = new HashMap<>();
    for (PromisedPerson person : people) {
      person.repeatAll(port);
      assertThat(person.pull(port)).as(person.user).isEqualTo(person.model().lines());
      person.close();
    }
    try (Database database = Database.at(databaseUrl)) {
      for (JsonNode verdict :
          read(database, "user_id, op_id, coalesce(reason, 'accepted')", "sync_verdicts")) {
        memory
            .computeIfAbsent(verdict.get(0).textValue(), user -> new HashMap<>())
            .put(verdict.get(1).textValue(), verdict.get(2).textValue());
      }
      for (JsonNode row : read(database, "user_id, row_id, seq, fields, marks", "sync_rows")) {
        List<String> lines =
            rows.computeIfAbsent(row.get(0).textValue(), user -> new ArrayList<>());
        row.get(3)
            .properties()
            .forEach(
                field -> {
                  JsonNode mark = row.get(4).get(field.getKey());
                  lines.add(
                      ModelRows.line(
                          row.get(1).textValue(),
                          row.get(2).longValue(),
                          field.getKey(),
                          field.getValue(),
                          mark.get("opId").textValue(),
                          mark.get("at").longValue()));
                });
      }
      for (JsonNode head : read(database, "user_id, seq", "sync_heads")) {
        heads.put(head.get(0).textValue(), head.get(1).longValue());
      }
    }
    for (PromisedPerson person : people) {
      assertThat(memory.get(person.user)).as(person.user).isEqualTo(person.told());
      assertThat(rows.getOrDefault(person.user, List.of()).stream().sorted().toList())
          .as(person.user)
          .isEqualTo(person.model().lines());
      assertThat(heads.get(person.user)).as(person.user).isEqualTo(person.model().seq());
    }
  }

  private List<JsonNode> read(Database database, String columns, String table) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    String sql = "SELECT json_build_array(%s)::text FROM %s WHERE starts_with(user_id, ?)";
    for (String row : database.all(sql.formatted(columns, table), name + "-")) {
      all.add(Edits.JSON.readTree(row));
    }
    return all;
  }

  @Override
  public String toString() {
    int operations = people.stream().mapToInt(person -> person.told().size()).sum();
    return "%s: seed %d, %d people, %d operations, requests %s"
        .formatted(name, seed, people.size(), operations, outcomes);
  }

  @Override
  public void close() {
    broken = true;
    threads.shutdownNow();
    people.forEach(PromisedPerson::close);
  }
}
