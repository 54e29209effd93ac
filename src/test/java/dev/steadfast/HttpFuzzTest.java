package dev.steadfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Batches that are nearly right, and bytes that are not: the service answers each with verdicts or
 * with a problem, never with 5xx, and what it remembers afterwards is what it said. {@code
 * -Dfuzz.seed} and {@code -Dfuzz.requests} make it another run, or a longer one.
 */
@QuarkusTest
class HttpFuzzTest {
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_201L);
  private static final int REQUESTS = Integer.getInteger("fuzz.requests", 700);
  private static final int REQUESTS_OF_ONE_PERSON = 100;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestHTTPResource URI base;

  private final Random random = new Random(SEED);
  private final FuzzBody bodies = new FuzzBody(random);

  /** What a person was told of each operation: the word of its first answer, and its reason. */
  private final Map<String, Map<String, String>> told = new HashMap<>();

  @Test
  void everyRequestIsAnsweredAndNothingIsForgottenOrInvented() throws Exception {
    System.out.printf("fuzz.seed=%d fuzz.requests=%d%n", SEED, REQUESTS);
    int judged = 0;
    for (int done = 0; done < REQUESTS; done += REQUESTS_OF_ONE_PERSON) {
      String user = "fuzz" + done + "-" + SEED;
      String token = Api.as(user).token();
      List<byte[]> sent = new ArrayList<>();
      for (int i = 0; i < REQUESTS_OF_ONE_PERSON; i++) {
        byte[] body = sent.isEmpty() || random.nextInt(5) > 0 ? bodies.next() : any(sent);
        sent.add(body);
        judged += push(user, token, body);
        if (i % 5 == 0) {
          check(send(other(token)));
        }
      }
      consistent(user, token);
    }
    assertThat(judged)
        .as("operations judged, or the bodies are all garbage")
        .isGreaterThan(REQUESTS);
  }

  private byte[] any(List<byte[]> sent) {
    return sent.get(random.nextInt(sent.size()));
  }

  private int push(String user, String token, byte[] body) throws Exception {
    boolean zipped = random.nextInt(10) == 0;
    HttpRequest.Builder request =
        request("/sync/push", token)
            .header("Content-Type", "application/json")
            .POST(publisher(zipped ? zip(body) : body));
    if (zipped) {
      request.header("Content-Encoding", "gzip");
    }
    JsonNode answer = check(send(request));
    JsonNode verdicts = answer.path("verdicts");
    for (JsonNode verdict : verdicts) {
      remember(user, verdict);
    }
    return verdicts.size();
  }

  private HttpRequest.BodyPublisher publisher(byte[] body) {
    return random.nextBoolean()
        ? HttpRequest.BodyPublishers.ofByteArray(body)
        : HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(body));
  }

  /** The rule of all rules: the first answer stands. */
  private void remember(String user, JsonNode verdict) {
    String status = verdict.path("status").asText();
    String reason = verdict.path("reason").asText("") + verdict.path("code").asText("");
    Map<String, String> mine = told.computeIfAbsent(user, first -> new LinkedHashMap<>());
    String before = mine.putIfAbsent(verdict.path("opId").asText(), status + reason);
    if (before != null) {
      String repeated = status.equals("duplicate") ? "applied" : status;
      assertThat(repeated + reason).isEqualTo(before);
    } else {
      assertThat(status).isIn("applied", "rejected");
    }
  }

  /** A call that is not a push, with parts that are nearly right. */
  private HttpRequest.Builder other(String token) {
    String text = bodies.text();
    String quoted = java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8);
    return switch (random.nextInt(7)) {
      case 0 -> request("/sync/pull?cursor=" + quoted, token);
      case 1 -> request("/sync/pull?limit=" + quoted + "&epoch=" + quoted, token);
      case 2 -> request("/publications/" + quoted, token);
      case 3 -> request("/sync/" + quoted, token);
      case 4 -> request("/sync/limits", token + text.replaceAll("[^ -~]", "")).GET();
      case 5 ->
          request("/sync/push", token)
              .header("Content-Type", random.nextBoolean() ? "text/plain" : "application/j")
              .POST(publisher(bodies.next()));
      default ->
          request("/sync/push", token)
              .header("Content-Type", "application/json")
              .method(random.nextBoolean() ? "PATCH" : "DELETE", publisher(bodies.next()));
    };
  }

  private HttpRequest.Builder request(String path, String token) {
    return HttpRequest.newBuilder(base.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static JsonNode check(HttpResponse<byte[]> answer) throws IOException {
    String shown =
        answer.request() + " -> " + answer.statusCode() + " " + new String(answer.body());
    String type = answer.headers().firstValue("Content-Type").orElse("none");
    assertThat(answer.statusCode()).as(shown).isBetween(200, 499);
    JsonNode json = JSON.readTree(answer.body());
    if (answer.statusCode() == 200) {
      assertThat(type).as(shown).startsWith("application/json");
    } else {
      assertThat(type).as(shown).isEqualTo("application/problem+json");
      assertThat(json.path("status").asInt()).as(shown).isEqualTo(answer.statusCode());
      assertThat(json.path("code").asText()).as(shown).matches("[A-Z_]+");
      assertThat(shown).doesNotContain("Exception", "dev.steadfast.", "SELECT", "\tat ");
    }
    return json;
  }

  /** The memory is what was told, and the rows are made of what was applied. */
  private void consistent(String user, String token) throws Exception {
    try (Database database = Database.session()) {
      Map<String, String> mine = told.getOrDefault(user, Map.of());
      List<String> memory =
          database.all(
              "SELECT op_id || '=' || status || coalesce(reason, '') || coalesce(code, '')"
                  + " FROM sync_verdicts WHERE user_id = ?",
              user);
      assertThat(memory)
          .containsExactlyInAnyOrderElementsOf(
              mine.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
      assertThat(
              database.all(
                  """
                  SELECT r.row_id FROM sync_rows r CROSS JOIN jsonb_each(r.marks) m
                  LEFT JOIN sync_verdicts v
                    ON v.user_id = r.user_id AND v.op_id = m.value->>'opId' AND v.status = 'applied'
                  WHERE r.user_id = ? AND v.op_id IS NULL
                  """,
                  user))
          .as("marks of operations that were not applied")
          .isEmpty();
      assertThat(
              database.all(
                  """
                  SELECT h.seq FROM sync_heads h WHERE h.user_id = ?
                  AND h.seq <> (SELECT coalesce(max(r.seq), 0) FROM sync_rows r
                                WHERE r.user_id = h.user_id)
                  """,
                  user))
          .as("heads that are not at the last row")
          .isEmpty();
      JsonNode pulled = check(send(request("/sync/pull?limit=1000", token)));
      assertThat(pulled.path("hasMore").asBoolean()).isFalse();
    }
  }

  private static byte[] zip(byte[] body) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(body);
    }
    return zipped.toByteArray();
  }
}
