package dev.steadfast.sync;

import static dev.steadfast.Api.batch;
import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a push as a whole is refused; nothing is ever written by one. */
@QuarkusTest
class BadInputTest {
  private static final String USER = "bad-input";
  private static final String NEWER =
      "{\"opId\":\"A:9\",\"rowId\":\"r\",\"at\":1,\"fields\":{},\"schema\":2}";

  @AfterEach
  void nothingWasWritten() throws Exception {
    try (Database database = Database.session()) {
      assertThat(database.footprint(USER)).isEqualTo("0/0/0");
    }
  }

  static Stream<Arguments> refused() {
    String good = whole("A:1", "r", 1);
    return Stream.of(
        arguments("", 400, "MALFORMED_BODY", ""),
        arguments("{\"batch\":", 400, "MALFORMED_BODY", ""),
        arguments("{}", 400, "MALFORMED_BODY", "/batch"),
        arguments("[" + good + "]", 400, "MALFORMED_BODY", ""),
        arguments(
            batch(good, good.replace("\"at\":1", "\"at\":\"10\"")),
            400,
            "MALFORMED_BODY",
            "/batch/1/at"),
        arguments(
            batch(good.replace("\"at\":1", "\"at\":1.5")), 400, "MALFORMED_BODY", "/batch/0/at"),
        arguments(
            batch(good.replace("\"at\":1", "\"at\":true")), 400, "MALFORMED_BODY", "/batch/0/at"),
        arguments(batch(good.replace("\"A:1\"", "17")), 400, "MALFORMED_BODY", "/batch/0/opId"),
        arguments(
            batch(good.replace("\"A:1\"", "\"\\u0000\"")), 400, "MALFORMED_BODY", "/batch/0/opId"),
        arguments(
            batch(good.replace("\"r\"", "\"\\udfff\"")), 400, "MALFORMED_BODY", "/batch/0/rowId"),
        arguments(
            batch(good.replace("\"A:1\"", "\"A:1\",\"opId\":\"A:1\"")),
            400,
            "MALFORMED_BODY",
            "/batch/0"),
        arguments("[".repeat(5_000), 400, "MALFORMED_BODY", ""),
        arguments(batch(), 400, "EMPTY_BATCH", null),
        arguments(batch(NEWER), 409, "SCHEMA_AHEAD", null),
        arguments(batch(NEWER, "17", good), 409, "SCHEMA_AHEAD", null),
        arguments(batch("{\"schema\":7,\"what\":\"ever\"}", good), 409, "SCHEMA_AHEAD", null),
        arguments(batch(NEWER.replace("2}", "99999999999999999999}")), 409, "SCHEMA_AHEAD", null));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theWholeRequestIsRefused(String body, int status, String code, String pointer) {
    Api.as(USER)
        .send(body)
        .then()
        .statusCode(status)
        .contentType("application/problem+json")
        .header("Cache-Control", "no-store")
        .body("code", equalTo(code))
        .body("status", equalTo(status))
        .body("type", startsWith("urn:steadfast:problem:"))
        .body("title", notNullValue())
        .body("detail", notNullValue())
        .body("errors[0].pointer", equalTo(pointer));
  }

  private static RequestSpecification json(Api api) {
    return given().auth().oauth2(api.token()).contentType("application/json");
  }

  @Test
  void aBodyOverTheLimitIsRefusedHoweverItComes() throws Exception {
    byte[] zeros = new byte[30_000_000];
    Arrays.fill(zeros, (byte) ' ');
    Api api = Api.as(USER);
    json(api)
        .body(zeros)
        .post("/sync/push")
        .then()
        .statusCode(413)
        .body("code", equalTo("BODY_TOO_LARGE"));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(zeros);
    }
    json(api)
        .header("Content-Encoding", "gzip")
        .body(packed.toByteArray())
        .post("/sync/push")
        .then()
        .statusCode(413)
        .body("code", equalTo("BODY_TOO_LARGE"));
    assertThat(chunked(api, new byte[0])).startsWith("HTTP/1.1 400").contains("MALFORMED_BODY");
    assertThat(chunked(api, zeros)).startsWith("HTTP/1.1 413").contains("BODY_TOO_LARGE");
  }

  @Test
  void theLimitIsExactToTheByte() {
    String batch = batch(NEWER);
    String fits = batch + " ".repeat(10 * 1024 * 1024 - batch.length());
    Api.as(USER).send(fits).then().statusCode(409);
    Api.as(USER).send(fits + " ").then().statusCode(413);
  }

  private static String chunked(Api api, byte[] body) throws IOException {
    try (Socket socket = new Socket("localhost", RestAssured.port)) {
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /sync/push HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
              + "Transfer-Encoding: chunked\r\nConnection: close\r\nAuthorization: Bearer "
              + api.token()
              + "\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      for (int sent = 0; sent < body.length; sent += 1_000_000) {
        out.write("f4240\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(body, sent, 1_000_000);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      byte[] answer = in.readAllBytes();
      return new String(answer, StandardCharsets.UTF_8);
    }
  }

  @Test
  void aGzipBodyIsRead() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(batch().getBytes(StandardCharsets.UTF_8));
    }
    json(Api.as(USER))
        .header("Content-Encoding", "gzip")
        .body(packed.toByteArray())
        .post("/sync/push")
        .then()
        .statusCode(400)
        .body("code", equalTo("EMPTY_BATCH"));
  }

  @Test
  void aBodyIsUnpackedByteForByte() throws Exception {
    byte[] batch = batch().getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    for (byte[] half :
        List.of(Arrays.copyOf(batch, 5), Arrays.copyOfRange(batch, 5, batch.length))) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(two)) {
        gzip.write(half);
      }
    }
    packed("gzip", two.toByteArray()).statusCode(400).body("code", equalTo("EMPTY_BATCH"));
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate = new DeflaterOutputStream(deflated)) {
      deflate.write(batch);
    }
    packed("deflate", deflated.toByteArray()).statusCode(400).body("code", equalTo("EMPTY_BATCH"));
    packed("identity", batch).statusCode(400).body("code", equalTo("EMPTY_BATCH"));
    packed("X-GZIP", new byte[0]).statusCode(400).body("code", equalTo("MALFORMED_BODY"));
  }

  @Test
  void aBodyThatDoesNotUnpackIs400AndAnUnknownPackingIs415() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(batch().getBytes(StandardCharsets.UTF_8));
    }
    byte[] whole = packed.toByteArray();
    for (int cut = 1; cut < whole.length; cut++) {
      packed("gzip", Arrays.copyOf(whole, cut))
          .statusCode(400)
          .body("code", equalTo("BAD_REQUEST"));
    }
    byte[] wrongSum = whole.clone();
    wrongSum[whole.length - 8] ^= 1;
    packed("gzip", wrongSum).statusCode(400).body("code", equalTo("BAD_REQUEST"));
    packed("deflate", whole).statusCode(400).body("code", equalTo("BAD_REQUEST"));
    for (String coding : List.of("br", "zstd", "compress", "gzip, gzip", "chunked", "x")) {
      packed(coding, whole).statusCode(415).body("detail", containsString("gzip"));
    }
  }

  private static ValidatableResponse packed(String coding, byte[] body) {
    return json(Api.as(USER))
        .header("Content-Encoding", coding)
        .body(body)
        .post("/sync/push")
        .then();
  }

  @Test
  void withoutATokenNothingIsRead() {
    for (String token : List.of("", "x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.")) {
      given()
          .header("Authorization", "Bearer " + token)
          .contentType("application/json")
          .body("{")
          .post("/sync/push")
          .then()
          .statusCode(401)
          .contentType("application/problem+json")
          .header("WWW-Authenticate", startsWith("Bearer"))
          .body("code", equalTo("UNAUTHENTICATED"));
    }
    given().contentType("application/json").body("{").post("/sync/push").then().statusCode(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\nb", "\u0085"})
  void aUserIdIsAName(String sub) {
    Api.as(sub)
        .send(batch(whole("A:1", "r", 1)))
        .then()
        .statusCode(401)
        .body("code", equalTo("UNAUTHENTICATED"));
  }

  @Test
  void aUserIdHasAtMostTwoHundredUnits() throws Exception {
    Api.as("u".repeat(201)).send(batch(whole("A:1", "r", 1))).then().statusCode(401);
    Api.as("u".repeat(200)).push(whole("A:1", "r", 1));
  }

  @Test
  void otherFailuresOfHttpAreProblemsToo() {
    Api api = Api.as(USER);
    given()
        .auth()
        .oauth2(api.token())
        .contentType("text/plain")
        .body("x")
        .post("/sync/push")
        .then()
        .statusCode(415)
        .body("code", equalTo("UNSUPPORTED_MEDIA_TYPE"));
    json(api)
        .accept("text/html")
        .body(batch())
        .post("/sync/push")
        .then()
        .statusCode(406)
        .body("code", equalTo("NOT_ACCEPTABLE"));
    given()
        .auth()
        .oauth2(api.token())
        .get("/sync/push")
        .then()
        .statusCode(405)
        .contentType("application/problem+json")
        .header("Allow", equalTo("OPTIONS, POST"))
        .body("code", equalTo("METHOD_NOT_ALLOWED"));
    given()
        .get("/nowhere")
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("code", equalTo("NOT_FOUND"));
    given().get("/dev/token").then().statusCode(400).body("code", equalTo("INVALID_PARAMETER"));
  }

  static Stream<Arguments> poison() {
    return Stream.of(
        arguments("\"5\"", "число повторов — не целое число"),
        arguments("1.5", "число повторов — не целое число"),
        arguments("true", "число повторов — не целое число"),
        arguments("null", "число повторов — не целое число"),
        arguments("{\"a\":[1]}", "число повторов — не целое число"),
        arguments("[".repeat(5_000) + "]".repeat(5_000), "число повторов — не целое число"),
        arguments("\"a\\u0000\"", "в тексте есть знаки, которые нельзя сохранить"),
        arguments("\"\\ud800\"", "в тексте есть знаки, которые нельзя сохранить"),
        arguments("1" + "0".repeat(400), "слишком длинное или слишком большое число"),
        arguments("1e131072", "слишком длинное или слишком большое число"),
        arguments("0." + "0".repeat(16_384), "слишком длинное или слишком большое число"),
        arguments("1e64", "слишком большое целое число"),
        arguments("9007199254740992", "слишком большое целое число"),
        arguments("800", "повторов больше сотни"),
        arguments("5,\"reps\":5", "одно поле названо дважды"));
  }

  @ParameterizedTest
  @MethodSource("poison")
  void aPoisonValueRejectsItsOperationAndLetsItsNeighboursPass(String value, String reason)
      throws Exception {
    String user = "poison-" + value.hashCode();
    Api.as(user)
        .push(
            whole("A:1", "r", 1),
            op("A:2", "r", 2, "\"reps\":" + value),
            op("A:3", "r", 3, "\"" + "n".repeat(5_000) + "\":1,\"reps\":6"))
        .body("verdicts.status", equalTo(List.of("applied", "rejected", "applied")))
        .body("verdicts[1].reason", equalTo(reason))
        .body("verdicts[1].code", equalTo("CONTRACT"))
        .body("verdicts[1].reason", not(startsWith("row")));
    try (Database database = Database.session()) {
      assertThat(database.rows(user)).hasSize(1).first().asString().contains("\"reps\": 6");
      assertThat(database.footprint(user)).isEqualTo("1/1/3");
    }
  }

  @Test
  void anOperationFromTheFutureIsRejected() {
    long tomorrow = System.currentTimeMillis() + 86_400_000;
    Api.as("future")
        .push(whole("A:1", "r", tomorrow - 60_000), whole("A:2", "r", tomorrow + 60_000))
        .body("verdicts.status", equalTo(List.of("applied", "rejected")))
        .body("verdicts[1].code", equalTo("CLOCK_AHEAD"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%c0%ae%c0%ae/x", "/sync/..%2f..%2fx"})
  void anAddressWithTricksIsAProblemToo(String address) throws Exception {
    String answer;
    try (Socket socket = new Socket("localhost", RestAssured.port)) {
      String request =
          "GET "
              + address
              + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
              + Api.as(USER).token()
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(answer).matches("(?s)HTTP/1.1 404 .*").contains("application/problem+json");
  }
}
