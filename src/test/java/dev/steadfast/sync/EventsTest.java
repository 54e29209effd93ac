package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import dev.steadfast.Database;
import dev.steadfast.EventStream;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.smallrye.jwt.build.Jwt;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@QuarkusTest
class EventsTest {

  private static EventStream open(String token) throws Exception {
    return EventStream.open("http://localhost:" + RestAssured.port, token);
  }

  @Test
  void theHeadComesAtOnceAndWheneverItMoves() throws Exception {
    Api api = Api.as("events");
    try (EventStream events = open(api.token())) {
      assertThat(events.next()).isEqualTo("head {\"seq\":0}");
      api.push(whole("A:1", "r", 1));
      assertThat(events.next()).isEqualTo("head {\"seq\":1}");
      api.push(op("A:2", "r", 2, "\"reps\":800"));
      api.push(op("A:3", "r", 3, "\"reps\":8"));
      assertThat(events.next()).isEqualTo("head {\"seq\":2}");
      try (Database other = Database.session()) {
        other.run("UPDATE sync_heads SET seq = 9 WHERE user_id = 'events'");
      }
      assertThat(events.next()).isEqualTo("head {\"seq\":9}");
    }
  }

  @Test
  void othersDoNotHearIt() throws Exception {
    Api listener = Api.as("events-quiet");
    try (EventStream events = open(listener.token())) {
      assertThat(events.next()).isEqualTo("head {\"seq\":0}");
      Api.as("events-loud").push(whole("A:1", "r", 1));
      listener.push(whole("A:1", "r", 1), whole("A:2", "s", 1));
      assertThat(events.next()).isEqualTo("head {\"seq\":2}");
    }
  }

  @Test
  void aSilentStreamSaysThatItIsStillThere() throws Exception {
    try (EventStream events = open(Api.as("events-silent").token())) {
      assertThat(events.nextLine()).isEqualTo("event:head");
      for (int i = 0; i < 3; i++) {
        assertThat(events.comment()).isEqualTo(":still here");
      }
    }
  }

  @Test
  void aStreamEndsWithItsToken() throws Exception {
    String token =
        Jwt.issuer("https://steadfast.example/dev")
            .subject("events-expiring")
            .expiresIn(Duration.ofSeconds(2))
            .sign();
    try (EventStream events = open(token)) {
      assertThat(events.next()).isEqualTo("head {\"seq\":0}");
      assertThat(events.next()).isNull();
    }
  }

  @Test
  void aPodAndAPersonKeepSoManyStreamsAndNoMore() throws Exception {
    String token = Api.as("events-many").token();
    String other = Api.as("events-other").token();
    String base = "http://localhost:" + RestAssured.port;
    try (EventStream one = open(token);
        EventStream two = open(token)) {
      assertThat(one.next()).isEqualTo(two.next());
      assertThat(EventStream.status(base, token)).as("a third of this person").isEqualTo(429);
      try (EventStream three = open(other)) {
        assertThat(three.next()).isEqualTo("head {\"seq\":0}");
        assertThat(EventStream.status(base, other)).as("a fourth of all").isEqualTo(503);
      }
    }
  }
}
