package dev.steadfast.publications;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.Database;
import dev.steadfast.problem.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What keyed calls look like on the wire, and every way in which one is refused. */
@QuarkusTest
class KeyedHttpTest {
  private static final String GOOD = Editor.body("Хорошо", 1);

  private static Editor editor;
  private static int id;

  @BeforeEach
  void publication() throws Exception {
    if (editor != null) {
      return;
    }
    editor = Editor.named("http");
    try (Database database = Database.session()) {
      id = Editor.publication(database);
    }
  }

  private static String counts(Database database) throws Exception {
    return database.one(
        """
        SELECT (SELECT count(*) || ' ' || sum(version) FROM publications) || ' '
          || (SELECT count(*) FROM idempotent_operations) || ' ' || (SELECT count(*) FROM outbox)
        """);
  }

  private static void refused(Response response, int status, String code, String pointer) {
    assertThat(response.statusCode() + " " + response.jsonPath().getString("code"))
        .isEqualTo(status + " " + code);
    response.then().contentType("application/problem+json").body("status", equalTo(status));
    if (pointer != null) {
      assertThat(response.jsonPath().getList("errors.pointer"))
          .containsExactly((Object[]) pointer.split(" "));
    }
  }

  static Stream<Arguments> bodies() {
    String lone = "\\ud83d";
    return Stream.of(
        arguments("", "MALFORMED_BODY", ""),
        arguments("{", "MALFORMED_BODY", ""),
        arguments("{\"title\":\"a\",\"version\":1} x", "MALFORMED_BODY", ""),
        arguments("{\"title\":\"a\",\"title\":\"b\",\"version\":1}", "MALFORMED_BODY", ""),
        arguments("[]", "INVALID_BODY", ""),
        arguments("null", "INVALID_BODY", ""),
        arguments("{}", "INVALID_BODY", "/title /version"),
        arguments(Editor.body("", 1), "INVALID_BODY", "/title"),
        arguments(Editor.body(" \u00a0\u3000\u0085", 1), "INVALID_BODY", "/title"),
        arguments(Editor.body("т".repeat(121), 1), "INVALID_BODY", "/title"),
        arguments(Editor.body("\ud83d\ude00".repeat(121), 1), "INVALID_BODY", "/title"),
        arguments(Editor.body("a\\u0000b", 1), "INVALID_BODY", "/title"),
        arguments(Editor.body("a" + lone, 1), "INVALID_BODY", "/title"),
        arguments("{\"title\":5,\"version\":1}", "INVALID_BODY", "/title"),
        arguments("{\"title\":null,\"version\":1}", "INVALID_BODY", "/title"),
        arguments("{\"title\":[\"a\"],\"version\":1}", "INVALID_BODY", "/title"),
        arguments("{\"title\":\"a\"}", "INVALID_BODY", "/version"),
        arguments(Editor.body("a", 0), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", -1), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "\"1\""), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "1.0"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "1e0"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "true"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "null"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "{}"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "2147483648"), "INVALID_BODY", "/version"),
        arguments(Editor.body("a", "9".repeat(5_000)), "INVALID_BODY", "/version"),
        arguments(Editor.body("", "0,\"a/b\":1"), "INVALID_BODY", "/title /version /a~1b"),
        arguments(Editor.body("a", "1,\"id\":77777777"), "INVALID_BODY", "/id"));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void aBadBodyWritesNothing(String body, String code, String pointer) throws Exception {
    try (Database database = Database.session()) {
      String before = counts(database);
      Response response = editor.put(id, "bad", body);
      refused(response, 400, code, null);
      List<String> pointers = response.jsonPath().getList("errors.pointer");
      assertThat(String.join(" ", pointers)).isEqualTo(pointer);
      assertThat(counts(database)).isEqualTo(before);
    }
  }

  @Test
  void bytesThatAreNoUtf8AreNotJson() {
    byte[] latin = "{\"title\":\"\u00e9\",\"version\":1}".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> PublicationBody.read(latin, PublicationBody.Form.UPDATE, 1))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("are not UTF-8");
  }

  @Test
  void aBadKeyIdTypeOrTokenWritesNothing() throws Exception {
    try (Database database = Database.session()) {
      String before = counts(database);
      String path = "/publications/" + id;
      RequestSpecification keyless =
          given().auth().oauth2(editor.token()).contentType("application/json").body(GOOD);
      refused(keyless.put(path), 400, "IDEMPOTENCY_KEY_REQUIRED", null);
      for (String key : List.of("", "k".repeat(121), "\"\"", "\"open", "\u00e9")) {
        refused(editor.put(id, key, GOOD), 400, "INVALID_PARAMETER", null);
      }
      for (String bad :
          List.of("0", "-1", "01", "1.0", "x", "2147483648", "99999999999999999999")) {
        Response put = editor.request("id").body(GOOD).put("/publications/" + bad);
        refused(put, 400, "INVALID_PARAMETER", null);
        refused(editor.request("id").get("/publications/" + bad), 400, "INVALID_PARAMETER", null);
      }
      refused(editor.put(2147483647, "unknown", GOOD), 404, "NOT_FOUND", null);
      refused(editor.request("id").get("/publications/2147483647"), 404, "NOT_FOUND", null);
      refused(editor.put(id, "old", Editor.body("a", 2147483647)), 409, "VERSION_CONFLICT", null);
      Response text = editor.request("text").contentType("text/plain").body(GOOD).put(path);
      refused(text, 415, "UNSUPPORTED_MEDIA_TYPE", null);
      refused(
          given().auth().oauth2(editor.token()).header("Idempotency-Key", "none").put(path),
          415,
          "UNSUPPORTED_MEDIA_TYPE",
          null);
      assertThat(counts(database)).isEqualTo(before);
    }
  }

  @Test
  void theRoleIsCheckedBeforeAnythingElse() throws Exception {
    try (Database database = Database.session()) {
      String before = counts(database);
      String reader = Editor.token("reader", "viewer");
      for (String type : List.of("application/json", "text/plain")) {
        for (String body : List.of(GOOD, "{", "")) {
          for (String path : List.of("/publications/" + id, "/publications/x")) {
            RequestSpecification nobody = given().contentType(type).body(body);
            refused(nobody.put(path), 401, "UNAUTHENTICATED", null);
            RequestSpecification viewer =
                given().contentType(type).body(body).auth().oauth2(reader);
            refused(viewer.put(path), 403, "FORBIDDEN", null);
          }
        }
      }
      refused(given().get("/publications/x"), 401, "UNAUTHENTICATED", null);
      refused(given().auth().oauth2(reader).get("/publications/" + id), 403, "FORBIDDEN", null);
      refused(given().auth().oauth2(reader).post("/publications"), 403, "FORBIDDEN", null);
      assertThat(counts(database)).isEqualTo(before);
    }
  }

  @Test
  void aCreationIsReplayedWithItsLocationAndReadWithItsVersion() throws Exception {
    Response first = editor.request("new").body("{\"title\":\" a\"}").post("/publications");
    Response again = editor.request("new").body("{\"title\":\"a \"}").post("/publications");
    String location = first.header("Location");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(location).matches("/publications/\\d+");
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.header("Location")).isEqualTo(location);
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(first.contentType()).isEqualTo(again.contentType());
    Response read = given().auth().oauth2(editor.token()).get(location);
    assertThat(read.asString()).isEqualTo(first.asString());
    assertThat(read.header("ETag")).isEqualTo("\"1\"");
    assertThat(read.header("Cache-Control")).isEqualTo("no-store");
    given()
        .auth()
        .oauth2(editor.token())
        .header("If-None-Match", "\"1\"")
        .get(location)
        .then()
        .statusCode(304);
    refused(
        editor.request("v").body("{\"title\":\"a\",\"version\":1}").post("/publications"),
        400,
        "INVALID_BODY",
        "/version");
  }

  @Test
  void idsGivenByHandAreSteppedOver() throws Exception {
    try (Database database = Database.session()) {
      long next = 1 + Long.parseLong(database.one("SELECT last_value FROM publications_id_seq"));
      database.run(
          "INSERT INTO publications SELECT i, 'by hand', 1 FROM generate_series(?, ?) i",
          next,
          next + 6);
      assertThat(editor.create("by-hand", "a")).startsWith("201 {\"id\":" + (next + 7) + ",");
    }
  }

  @Test
  void aKeyInFlightIs409AndARowThatIsLockedIs503() throws Exception {
    try (Database holder = Database.session();
        Database reader = Database.session()) {
      int held = Editor.publication(reader);
      holder
          .begin()
          .all(
              "SELECT pg_advisory_xact_lock(hashtextextended("
                  + "jsonb_build_array('http', 'publication.update', 'flying')::text, 0))");
      holder.run("SELECT FROM publications WHERE id = ? FOR UPDATE", held);
      CompletableFuture<Response> row =
          CompletableFuture.supplyAsync(() -> editor.put(held, "row", GOOD));
      Response flying = editor.put(held, "flying", GOOD);
      refused(flying, 409, "KEY_IN_FLIGHT", null);
      flying.then().header("Retry-After", notNullValue());
      refused(row.get(), 503, "UNAVAILABLE", null);
      row.get().then().header("Retry-After", notNullValue());
      holder.commit();
      assertThat(editor.state(reader, held)).startsWith("version 1,").endsWith("intents 0");
      assertThat(editor.put(held, "flying", GOOD).statusCode()).isEqualTo(200);
    }
  }
}
