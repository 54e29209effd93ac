package dev.steadfast.support;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import dev.steadfast.Api;
import dev.steadfast.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Support is asked why an edit is gone, and sees what was answered. */
@QuarkusTest
class SupportTest {

  private static ValidatableResponse look(String groups, Object... parameters) {
    String token =
        given().queryParam("sub", "lena").queryParam("groups", groups).get("/dev/token").asString();
    var request = given().auth().oauth2(token);
    for (int i = 0; i < parameters.length; i += 2) {
      request.queryParam((String) parameters[i], parameters[i + 1]);
    }
    return request.get("/support/verdict").then();
  }

  @ParameterizedTest
  @ValueSource(strings = {"support-1", "a/b", "50%", "100%25", "Аня Ёлкина", "a+b;c&op=d?#", "😀"})
  void whatWasAnsweredIsSeenWhateverTheNames(String name) {
    Api.as(name).push(Api.whole(name, "r", 1), Api.op("x" + name, "r", 2, "\"reps\":800"));
    look("support", "user", name, "op", name)
        .statusCode(200)
        .contentType("application/json")
        .header("Cache-Control", "no-store")
        .body("opId", equalTo(name))
        .body("status", equalTo("applied"))
        .body("$", not(hasKey("reason")))
        .body("$", not(hasKey("code")));
    String decided =
        look("support", "user", name, "op", "x" + name)
            .body("status", equalTo("rejected"))
            .body("reason", equalTo("повторов больше сотни"))
            .body("code", equalTo("CONTRACT"))
            .extract()
            .path("decidedAt");
    assertThat(Duration.between(Instant.parse(decided), Instant.now()))
        .isLessThan(Duration.ofHours(1));
  }

  @Test
  void aNameThatWasNeverJudgedIs404() {
    Api.as("never").push(Api.whole("A:1", "r", 1));
    for (String[] names : new String[][] {{"never", "A:2"}, {"nobody", "A:1"}, {"NEVER", "A:1"}}) {
      look("support", "user", names[0], "op", names[1])
          .statusCode(404)
          .contentType("application/problem+json")
          .body("code", equalTo("NOT_FOUND"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other=1",
        "user=anya",
        "op=A:1",
        "user=&op=A:1",
        "user=anya&op=",
        "user=anya&op",
        "user=anya&op=A%00",
        "user=an%0Aya&op=A:1",
        "user=an%C2%85ya&op=A:1",
        "user=anya&user=boris&op=A:1",
        "user=anya&op=A:1&op=A:2"
      })
  void aMissingOrImpossibleNameIs400(String query) {
    refused(query);
  }

  @Test
  void aNameThatIsTooLongIs400() {
    refused("op=A:1&user=" + "x".repeat(201));
    look("support", "op", "A:1", "user", "я".repeat(200)).statusCode(404);
  }

  private static void refused(String query) {
    String token = given().get("/dev/token?sub=lena&groups=support").asString();
    given()
        .auth()
        .oauth2(token)
        .urlEncodingEnabled(false)
        .get("/support/verdict?" + query)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("INVALID_PARAMETER"));
  }

  @Test
  void onlySupportLooks() {
    given().get("/support/verdict?user=a&op=b").then().statusCode(401);
    look("editor", "user", "a", "op", "b").statusCode(403).body("code", equalTo("FORBIDDEN"));
    look("", "user", "a", "op", "b").statusCode(403);
  }

  @Test
  void whoLookedAtWhomIsALineOfTheLogThatNamesCannotForge() {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            lines.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(SupportResource.class.getName());
    logger.addHandler(handler);
    try {
      look("support", "user", "an\"ya\u2028INFO forged\u202e", "op", "A:1 found=true")
          .statusCode(404);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines)
        .containsExactly(
            "verdict looked up: by=\"lena\" user=\"an\\\"ya\\u{2028}INFO forged\\u{202e}\""
                + " op=\"A:1 found=true\" found=false");
  }

  @Test
  void aLookWritesNothing() throws Exception {
    look("support", "user", "unseen", "op", "A:1").statusCode(404);
    try (Database database = Database.session()) {
      assertThat(database.footprint("unseen")).isEqualTo("0/0/0");
    }
  }
}
