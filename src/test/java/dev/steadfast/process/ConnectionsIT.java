package dev.steadfast.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod that may keep few connections, and clients that want more than all of them. */
class ConnectionsIT {
  private static final int MOST = 40;
  private static final int CLIENTS = 60;

  @TempDir static Path directory;
  private static OwnPostgres postgres;
  private static ServiceProcess service;

  @BeforeAll
  static void start() throws Exception {
    postgres = new OwnPostgres(directory.resolve("pg"));
    Map<String, String> settings =
        new HashMap<>(ServiceProcess.settings(OwnPostgres.serviceUrl(postgres.port())));
    settings.put("STEADFAST_LIMITS_CONNECTIONS", String.valueOf(MOST));
    service = ServiceProcess.start(settings);
  }

  @AfterAll
  static void stop() throws Exception {
    String log = service.log();
    service.close();
    postgres.close();
    assertThat(log).doesNotContain(" ERROR ", "\tat ");
  }

  @Test
  void onePersonsBodiesThatDoNotEndKeepNobodyOut() throws Exception {
    String slow = request("POST /sync/push", "one", 5_000) + "{";
    List<String> answers = probedBeside(i -> slow);
    assertThat(answers).filteredOn(each -> each.startsWith("HTTP/1.1 503 ")).isNotEmpty();
    assertThat(answers).allMatch(each -> each.matches("(?s)|HTTP/1.1 (503|408|429) .*"));
  }

  @Test
  void bodiesThatDoNotEndOfManyPeopleKeepNobodyOut() throws Exception {
    probedBeside(i -> request("POST /sync/push", "many" + i, 5_000) + "{");
  }

  @Test
  void streamsKeepNobodyOut() throws Exception {
    List<String> answers = probedBeside(i -> request("GET /sync/events", "one", 0));
    assertThat(answers).filteredOn(each -> each.contains("event:head")).isNotEmpty();
  }

  @Test
  void silentOnesAndHalfHeadsKeepNobodyOut() throws Exception {
    probedBeside(i -> "");
    probedBeside(i -> "GET / HT");
  }

  @Test
  void bodiesThatNobodyAskedForKeepNobodyOut() throws Exception {
    probedBeside(i -> request("GET /q/health/live", "one", 5_000) + "{");
    probedBeside(i -> request("POST /nowhere", "one", 5_000) + "{");
    probedBeside(
        i -> request("POST /sync/push", "one", 5_000).replace("Bearer ", "Bearer a") + "{");
  }

  /** Requests ahead of answers that nobody reads. */
  @Test
  void whatNobodyReadsKeepsNobodyOut() throws Exception {
    String document = "GET /q/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n";
    probedBeside(i -> document.repeat(500));
    probedBeside(i -> request("GET /sync/pull", "one", 0).repeat(100));
  }

  /** What each client was answered, as far as it came at once. */
  private static List<String> probedBeside(IntFunction<String> what) throws Exception {
    List<RawConnection> clients = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        RawConnection client = new RawConnection(service);
        clients.add(client);
        try {
          client.send(what.apply(i));
        } catch (IOException closed) {
          // For another one.
        }
      }
      // The last of them may be told to the pod after the first probe.
      Thread.sleep(300);
      for (int i = 0; i < 10; i++) {
        try (RawConnection probe = new RawConnection(service)) {
          probe.send("GET /q/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
          assertThat(probe.readAll(3)).startsWith("HTTP/1.1 200 ");
        }
      }
      String batch = Api.batch(Api.whole("A:1", "r", 1));
      try (RawConnection calm = new RawConnection(service)) {
        String head = request("POST /sync/push", "calm", batch.getBytes(UTF_8).length);
        calm.send(head.replace("Host:", "Connection: close\r\nHost:") + batch);
        assertThat(calm.readAll(3)).startsWith("HTTP/1.1 200 ");
      }
      for (RawConnection each : clients) {
        answers.add(each.readSoFar());
      }
    } finally {
      for (RawConnection each : clients) {
        each.close();
      }
    }
    return answers;
  }

  private static String request(String what, String user, int length) {
    return what
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\nAuthorization: Bearer "
        + ServiceProcess.token(user)
        + "\r\n\r\n";
  }
}
