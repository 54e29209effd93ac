package dev.steadfast.publications;

import static io.restassured.RestAssured.given;

import dev.steadfast.Database;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.sql.SQLException;

/** An editor at work. */
final class Editor {
  private final String name;
  private final String token;

  private Editor(String name, String token) {
    this.name = name;
    this.token = token;
  }

  static Editor named(String name) {
    return new Editor(name, token(name, "editor"));
  }

  static String token(String name, String groups) {
    return given()
        .queryParam("sub", name)
        .queryParam("groups", groups)
        .get("/dev/token")
        .asString();
  }

  String name() {
    return name;
  }

  String token() {
    return token;
  }

  /** A new publication of version 1, by SQL: no key, no event. */
  static int publication(Database database) throws SQLException {
    return Integer.parseInt(
        database.one("INSERT INTO publications (title, version) VALUES ('Урок', 1) RETURNING id"));
  }

  static String body(String title, Object version) {
    return "{\"title\":\"%s\",\"version\":%s}".formatted(title, version);
  }

  RequestSpecification request(String key) {
    return given()
        .auth()
        .oauth2(token)
        .contentType("application/json")
        .header("Idempotency-Key", key);
  }

  Response put(int id, String key, String body) {
    return request(key).body(body).put("/publications/" + id);
  }

  /** {@code 200 {"id":…}}, with {@code replayed} in front of a replay. */
  String update(int id, String key, String title, int version) {
    return line(put(id, key, body(title, version)));
  }

  String create(String key, String title) {
    return line(request(key).body("{\"title\":\"" + title + "\"}").post("/publications"));
  }

  static String line(Response response) {
    String replayed = response.header("Idempotent-Replayed") == null ? "" : "replayed ";
    boolean good = response.statusCode() < 300;
    return replayed
        + response.statusCode()
        + " "
        + (good ? response.asString() : response.jsonPath().getString("code"));
  }

  /** What there is of a publication: {@code version 2, journal 1, intents 1}. */
  String state(Database database, int id) throws SQLException {
    return database.one(
        """
        SELECT 'version ' || (SELECT version FROM publications WHERE id = ?)
          || ', journal ' || (SELECT count(*) FROM idempotent_operations WHERE principal = ?)
          || ', intents ' || (SELECT count(*) FROM outbox WHERE subject = 'publications/' || ?)
        """,
        id,
        name,
        id);
  }
}
