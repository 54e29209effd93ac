package dev.steadfast.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.steadfast.Database;
import dev.steadfast.outbox.MisbehavingReceiver.Answer;
import dev.steadfast.outbox.MisbehavingReceiver.Receipt;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every event arrives at least once, with one id and one content, oldest first of its subject. */
@QuarkusTest
class RelayTest {
  private static final Limits PATIENT = new Limits(1_000, Duration.ofMillis(200));

  @Inject Outbox outbox;
  @Inject OutboxTransaction transaction;
  @Inject OutboxSchedule schedule;
  @Inject MeterRegistry metrics;
  @Inject ObjectMapper json;

  /** Short limits, and no pause to speak of. */
  record Limits(int maxAttempts, Duration timeout) implements Settings.OutboxSettings {
    @Override
    public Optional<String> target() {
      return Optional.empty();
    }

    @Override
    public Duration backOff() {
      return Duration.ofMillis(10);
    }

    @Override
    public Duration maxBackOff() {
      return Duration.ofMillis(40);
    }

    @Override
    public Duration retention() {
      return Duration.ofDays(30);
    }
  }

  @BeforeEach
  void noEvents() throws Exception {
    try (Database database = Database.session()) {
      database.run("DELETE FROM outbox");
    }
  }

  private void add(String subject, int version) {
    QuarkusTransaction.requiringNew()
        .run(
            () ->
                outbox.add(
                    "test.changed", subject, json.createObjectNode().put("version", version)));
  }

  private Relay relay(MisbehavingReceiver receiver, Limits limits) {
    return new Relay(transaction, limits, receiver.address(), metrics);
  }

  /** {@code open/delivered/dead}. */
  private static String states(Database database) throws SQLException {
    return database.one(
        """
        SELECT count(*) FILTER (WHERE delivered_at IS NULL AND dead_at IS NULL) || '/'
          || count(delivered_at) || '/' || count(dead_at) FROM outbox
        """);
  }

  private static void runUntilNothingIsOpen(Relay relay, Database database) throws Exception {
    for (int i = 0; i < 500 && !states(database).startsWith("0/"); i++) {
      relay.run();
      Thread.sleep(5);
    }
  }

  @Test
  void anErrorATimeoutAndALostAnswerEndInADelivery() throws Exception {
    Answer[] manners = {Answer.ERROR, Answer.LATE, Answer.NONE, Answer.GOOD};
    try (MisbehavingReceiver receiver =
            new MisbehavingReceiver((id, attempt) -> manners[Math.min(attempt, 4) - 1]);
        Database database = Database.session()) {
      for (int version = 1; version <= 3; version++) {
        add("s/1", version);
        add("s/2", version);
      }
      runUntilNothingIsOpen(relay(receiver, PATIENT), database);
      assertThat(states(database)).isEqualTo("0/6/0");
      assertThat(receiver.receipts()).hasSize(24);
      Map<String, Set<String>> contents = new HashMap<>();
      for (Receipt receipt : receiver.receipts()) {
        contents.computeIfAbsent(receipt.id(), id -> new HashSet<>()).add(receipt.body());
        assertThat(receipt.type()).isEqualTo("application/cloudevents+json; charset=utf-8");
      }
      assertThat(contents).hasSize(6).allSatisfy((id, bodies) -> assertThat(bodies).hasSize(1));
      for (String subject : List.of("s/1", "s/2")) {
        assertThat(versions(receiver, subject)).containsExactly(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
      }
    }
  }

  private static List<Integer> versions(MisbehavingReceiver receiver, String subject) {
    return receiver.receipts().stream()
        .filter(receipt -> receipt.subject().equals(subject))
        .map(Receipt::version)
        .toList();
  }

  @Test
  void theEventIsACloudEvent() throws Exception {
    try (MisbehavingReceiver receiver = new MisbehavingReceiver((id, attempt) -> Answer.GOOD)) {
      add("s/1", 7);
      assertThat(relay(receiver, PATIENT).run()).isEqualTo(1);
      JsonNode event = json.readTree(receiver.receipts().get(0).body());
      List<String> names = new ArrayList<>();
      event.fieldNames().forEachRemaining(names::add);
      assertThat(names)
          .containsExactly(
              "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data");
      assertThat(event.path("specversion").textValue()).isEqualTo("1.0");
      assertThat(event.path("data").toString()).isEqualTo("{\"version\":7}");
    }
  }

  @Test
  void twoRelaysKeepTheOrderOfEachSubject() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Answer[] manners = {Answer.GOOD, Answer.GOOD, Answer.GOOD, Answer.ERROR, Answer.NONE};
    try (MisbehavingReceiver receiver =
            new MisbehavingReceiver((id, attempt) -> manners[random.nextInt(manners.length)]);
        Database database = Database.session()) {
      for (int version = 1; version <= 15; version++) {
        for (int subject = 0; subject < 8; subject++) {
          add("s/" + subject, version);
        }
      }
      List<CompletableFuture<Void>> relays =
          Stream.of(relay(receiver, PATIENT), relay(receiver, PATIENT))
              .map(relay -> CompletableFuture.runAsync(() -> untilNothingIsOpen(relay)))
              .toList();
      relays.forEach(CompletableFuture::join);
      assertThat(states(database)).as("seed " + seed).isEqualTo("0/120/0");
      Map<String, Integer> accepted = new HashMap<>();
      for (Receipt receipt : receiver.receipts()) {
        int before = accepted.getOrDefault(receipt.subject(), 0);
        assertThat(receipt.version()).as("seed %d, %s", seed, receipt).isEqualTo(before + 1);
        if (receipt.answer() == Answer.GOOD) {
          accepted.put(receipt.subject(), receipt.version());
        }
      }
      assertThat(accepted).hasSize(8).allSatisfy((s, version) -> assertThat(version).isEqualTo(15));
    }
  }

  private static void untilNothingIsOpen(Relay relay) {
    try (Database database = Database.session()) {
      runUntilNothingIsOpen(relay, database);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aReceiverThatNeverTakesItMakesItDeadAndTheNextOneGoesOn() throws Exception {
    try (MisbehavingReceiver receiver = new MisbehavingReceiver((id, attempt) -> Answer.ERROR);
        Database database = Database.session()) {
      add("s/1", 1);
      add("s/1", 2);
      runUntilNothingIsOpen(relay(receiver, new Limits(3, Duration.ofMillis(200))), database);
      assertThat(states(database)).isEqualTo("0/0/2");
      assertThat(versions(receiver, "s/1")).containsExactly(1, 1, 1, 2, 2, 2);
      assertThat(database.all("SELECT attempts || ' ' || last_failure FROM outbox"))
          .containsOnly("3 status 500");
      assertThat(transaction.count()).isEqualTo(new OutboxStore.Counts(0, 2));
    }
  }

  @Test
  void whatADeadRelayHadTakenIsSentAfterItsLease() throws Exception {
    try (MisbehavingReceiver receiver = new MisbehavingReceiver((id, attempt) -> Answer.GOOD);
        Database database = Database.session()) {
      add("s/1", 1);
      add("s/1", 2);
      add("s/2", 1);
      List<Intent> taken = transaction.take(1, Duration.ofMillis(300));
      assertThat(taken).hasSize(1);
      assertThat(relay(receiver, PATIENT).run()).as("the other subject goes on").isEqualTo(1);
      assertThat(versions(receiver, "s/1")).isEmpty();
      runUntilNothingIsOpen(relay(receiver, PATIENT), database);
      assertThat(versions(receiver, "s/1")).containsExactly(1, 2);
      assertThat(receiver.receipts().get(1).id()).isEqualTo(taken.get(0).id().toString());

      transaction.failed(taken.get(0), "the dead one speaks", Duration.ZERO, true);
      assertThat(states(database)).isEqualTo("0/3/0");
    }
  }

  @Test
  void thePauseDoublesUpToItsLimit() throws Exception {
    try (MisbehavingReceiver receiver = new MisbehavingReceiver((id, attempt) -> Answer.ERROR)) {
      Relay relay = relay(receiver, PATIENT);
      assertThat(Stream.of(1, 2, 3, 4, 1_000_000).map(relay::pause).map(Duration::toMillis))
          .containsExactly(10L, 20L, 40L, 40L, 40L);
    }
  }

  @Test
  void withoutATargetNothingIsTried() throws Exception {
    try (Database database = Database.session()) {
      add("s/1", 1);
      schedule.deliver();
      assertThat(database.all("SELECT attempts FROM outbox")).containsExactly("0");
    }
  }

  @Test
  void onlyWhatWasDeliveredLongAgoIsRemoved() throws Exception {
    try (Database database = Database.session()) {
      for (int version = 1; version <= 4; version++) {
        add("s/" + version, version);
      }
      database.run(
          "UPDATE outbox SET delivered_at = now() - interval '31 days' WHERE subject = 's/1'");
      database.run(
          "UPDATE outbox SET delivered_at = now() - interval '29 days' WHERE subject = 's/2'");
      database.run("UPDATE outbox SET dead_at = now() - interval '31 days' WHERE subject = 's/3'");
      assertThat(transaction.purge(Duration.ofDays(30), 100)).isEqualTo(1);
      assertThat(database.all("SELECT subject FROM outbox ORDER BY subject"))
          .containsExactly("s/2", "s/3", "s/4");
    }
  }
}
