package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;

/**
 * A person's device that writes down every verdict it was given, and fails as soon as two answers
 * do not fit together or an answer is not what the rules say.
 */
final class PromisedPerson implements AutoCloseable {
  /** What became of a request. */
  enum Outcome {
    /** There are verdicts. */
    ANSWERED,
    /** Nobody listened. */
    REFUSED,
    /** The connection broke before the request had left wholly. */
    HALF_SENT,
    /** The request had left wholly, and no answer came. */
    LOST,
    /** 429 or 503: later. */
    LATER,
    /** 409 SCHEMA_AHEAD: after the rollout. */
    AHEAD
  }

  final String user;

  private final String token;
  private final Random random;
  private final Edits edits;
  private final ModelRows model;
  private final List<ObjectNode> queue = new ArrayList<>();
  private final List<ObjectNode> judged = new ArrayList<>();

  /** What was said to each operation: {@code accepted}, or the reason why not. */
  private final Map<String, String> told = new HashMap<>();

  /** How many operations of the queue, from its beginning, have left this device at least once. */
  private int sent;

  private Wire wire;
  private int retryAfterSeconds;

  PromisedPerson(String user, long seed, boolean contractChanges) {
    this.user = user;
    token = ServiceProcess.token(user);
    random = new Random(seed ^ user.hashCode());
    edits = new Edits(random, contractChanges);
    model = new ModelRows(contractChanges ? 1_000 : 100);
  }

  void edit(int operations) {
    for (int i = 0; i < operations; i++) {
      queue.add(edits.next());
    }
  }

  int queued() {
    return queue.size();
  }

  /** What was said, by operation. */
  Map<String, String> told() {
    return told;
  }

  ModelRows model() {
    return model;
  }

  /** What the last 429 or 503 asked for. */
  int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  /**
   * Sends the first operations of the queue once, and now and then some that have their answer.
   *
   * @param port asked for when there is no open connection
   * @param size at most so many, though all that were sent before: what the service may have judged
   *     is sent again first
   */
  Outcome push(IntSupplier port, int size) {
    List<ObjectNode> batch = new ArrayList<>();
    while (!judged.isEmpty() && random.nextInt(4) == 0) {
      batch.add(judged.get(random.nextInt(judged.size())));
    }
    int known = batch.size();
    batch.addAll(queue.subList(0, Math.min(queue.size(), Math.max(size, sent))));
    byte[] request = Wire.request("POST", "/sync/push", token, body(batch));
    boolean left = false;
    try {
      open(port.getAsInt());
      int before = sent;
      sent = batch.size() - known;
      wire.send(request);
      left = true;
      Wire.Answer answer = wire.receive();
      if ("close".equals(answer.headers().get("connection"))) {
        close();
      }
      return take(answer, batch, known + before);
    } catch (ConnectException e) {
      return Outcome.REFUSED;
    } catch (IOException e) {
      close();
      return left ? Outcome.LOST : Outcome.HALF_SENT;
    }
  }

  private void open(int port) throws IOException {
    if (wire != null && wire.isOver()) {
      close();
    }
    if (wire == null) {
      wire = new Wire(port);
    }
  }

  private Outcome take(Wire.Answer answer, List<ObjectNode> batch, int mayBeKnown)
      throws IOException {
    String said = user + ": " + answer;
    if (answer.status() == 200) {
      verdicts(Edits.JSON.readTree(answer.body()), batch, mayBeKnown, said);
      return Outcome.ANSWERED;
    }
    assertThat(answer.status()).as(said).isIn(409, 429, 503);
    assertThat(answer.headers()).as(said).containsEntry("content-type", "application/problem+json");
    if (answer.status() == 409) {
      assertThat(answer.body()).as(said).contains("SCHEMA_AHEAD");
      return Outcome.AHEAD;
    }
    assertThat(answer.headers()).as(said).containsKey("retry-after");
    retryAfterSeconds = Integer.parseInt(answer.headers().get("retry-after"));
    return Outcome.LATER;
  }

  private void verdicts(JsonNode answer, List<ObjectNode> batch, int mayBeKnown, String said) {
    JsonNode verdicts = answer.get("verdicts");
    assertThat(verdicts.size()).as(said).isPositive();
    assertThat(verdicts.size() + answer.at("/left/count").asInt(0))
        .as(said)
        .isEqualTo(batch.size());
    for (int i = 0; i < verdicts.size(); i++) {
      ObjectNode operation = batch.get(i);
      JsonNode verdict = verdicts.get(i);
      assertThat(verdict.get("opId")).as(said).isEqualTo(operation.get("opId"));
      assertThat(verdict.has("differs")).as(said).isFalse();
      String status = verdict.get("status").textValue();
      String now = status.equals("rejected") ? verdict.get("reason").textValue() : "accepted";
      String before = told.putIfAbsent(verdict.get("opId").textValue(), now);
      if (before != null) {
        assertThat(now).as(said).isEqualTo(before);
        assertThat(status).as(said).isNotEqualTo("applied");
        continue;
      }
      if (status.equals("duplicate")) {
        assertThat(i).as(said).isLessThan(mayBeKnown);
      }
      ModelRows.Judgement right = model.judge(operation, now.equals("accepted"));
      assertThat(now).as(said).isEqualTo(right.reason() == null ? "accepted" : right.reason());
      if (status.equals("applied")) {
        List<String> lost = new ArrayList<>();
        verdict.path("lost").forEach(field -> lost.add(field.textValue()));
        assertThat(lost).as(said).isEqualTo(right.lost());
      }
      assertThat(queue.remove(0)).as(said).isSameAs(operation);
      sent = Math.max(0, sent - 1);
      judged.add(operation);
    }
  }

  private static String body(List<ObjectNode> batch) {
    return Edits.JSON.createObjectNode().set("batch", array(batch)).toString();
  }

  private static ArrayNode array(List<ObjectNode> batch) {
    ArrayNode array = Edits.JSON.createArrayNode();
    batch.forEach(array::add);
    return array;
  }

  /** Sends everything that has its answer once more, in another order; nothing new is said. */
  void repeatAll(int port) throws IOException {
    List<ObjectNode> batch = new ArrayList<>(judged);
    java.util.Collections.shuffle(batch, random);
    close();
    open(port);
    wire.send(Wire.request("POST", "/sync/push", token, body(batch)));
    assertThat(take(wire.receive(), batch, 0)).isEqualTo(Outcome.ANSWERED);
  }

  /** What a new device of this person reads, as lines of the model. */
  List<String> pull(int port) throws IOException {
    List<String> lines = new ArrayList<>();
    close();
    open(port);
    long cursor = 0;
    boolean more = true;
    while (more) {
      wire.send(Wire.request("GET", "/sync/pull?limit=2&cursor=" + cursor, token, ""));
      Wire.Answer answer = wire.receive();
      assertThat(answer.status()).as(user + ": " + answer).isEqualTo(200);
      JsonNode page = Edits.JSON.readTree(answer.body());
      for (JsonNode entry : page.get("changes")) {
        entry
            .get("fields")
            .properties()
            .forEach(
                field ->
                    lines.add(
                        ModelRows.line(
                            entry.get("rowId").textValue(),
                            entry.get("seq").longValue(),
                            field.getKey(),
                            field.getValue(),
                            entry.get("opId").textValue(),
                            entry.get("at").longValue())));
      }
      cursor = page.get("cursor").longValue();
      more = page.get("hasMore").booleanValue();
    }
    assertThat(cursor).as(user).isEqualTo(model.seq());
    return lines.stream().sorted().toList();
  }

  @Override
  public void close() {
    if (wire != null) {
      try {
        wire.close();
      } catch (IOException e) {
        // It is over.
      }
      wire = null;
    }
  }
}
