package dev.steadfast;

import static io.restassured.RestAssured.given;

import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;

/** The service as a person's device calls it. */
public final class Api {
  private final String token;

  private Api(String token) {
    this.token = token;
  }

  /** A device of this person. */
  public static Api as(String user) {
    return new Api(given().queryParam("sub", user).get("/dev/token").asString());
  }

  /** The token of this device. */
  public String token() {
    return token;
  }

  /** Sends a body as it stands. */
  public Response send(String body) {
    return given()
        .auth()
        .oauth2(token)
        .contentType("application/json")
        .body(body)
        .post("/sync/push");
  }

  /** Sends operations and expects verdicts. */
  public ValidatableResponse push(String... operations) {
    return send(batch(operations)).then().statusCode(200);
  }

  /** Sends operations; the verdicts in a line each: {@code A:1 rejected · reason}. */
  public List<String> verdicts(String... operations) {
    List<java.util.Map<String, Object>> verdicts =
        push(operations).extract().jsonPath().getList("verdicts");
    return verdicts.stream()
        .map(
            verdict ->
                verdict.get("opId")
                    + " "
                    + verdict.get("status")
                    + (verdict.containsKey("reason") ? " · " + verdict.get("reason") : ""))
        .toList();
  }

  /** The body of a push. */
  public static String batch(String... operations) {
    return "{\"batch\":[" + String.join(",", operations) + "]}";
  }

  /** One operation; {@code fields} is the inside of a JSON object. */
  public static String op(String opId, String rowId, long at, String fields) {
    return "{\"opId\":\"%s\",\"rowId\":\"%s\",\"at\":%d,\"fields\":{%s}}"
        .formatted(opId, rowId, at, fields);
  }

  /** An operation that sets all fields of a set of squats. */
  public static String whole(String opId, String rowId, long at) {
    return op(opId, rowId, at, "\"exercise\":\"присед\",\"weightKg\":100,\"reps\":5");
  }
}
