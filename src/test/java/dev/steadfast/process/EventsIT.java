package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import dev.steadfast.EventStream;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Two processes of the service on one database, which is restarted under them. One role migrates
 * and serves, as a small deployment may.
 */
class EventsIT {
  private static final String USER = "listener";

  @Test
  void aPushAtOneProcessIsHeardAtTheOtherAlsoAfterADatabaseRestart() throws Exception {
    Path data = Path.of("target", "postgres", "events-" + ProcessHandle.current().pid());
    int port = freePort();
    EmbeddedPostgres database = start(data, port);
    Map<String, String> settings =
        ServiceProcess.settingsOfOneRole(
            "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres");
    try (ServiceProcess one = ServiceProcess.start(settings);
        ServiceProcess two = ServiceProcess.start(settings);
        EventStream events = EventStream.open(two.base(), ServiceProcess.token(USER))) {
      assertThat(events.next()).isEqualTo("head {\"seq\":0}");
      long sent = System.nanoTime();
      push(one, "A:1", "r");
      assertThat(next(events)).isEqualTo("head {\"seq\":1}");
      System.out.printf(
          "heard at the other process after %d ms%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent));

      database.close();
      assertThat(one.status("/q/health/live")).isEqualTo(200);
      assertThat(one.status("/q/health/ready")).isEqualTo(503);
      database = start(data, port);
      push(one, "A:2", "s");
      assertThat(next(events)).isEqualTo("head {\"seq\":2}");

      two.terminate();
      assertThat(CompletableFuture.supplyAsync(() -> read(events)).get(5, TimeUnit.SECONDS))
          .isNull();
      assertThat(two.awaitExit()).isIn(0, 143);
    } finally {
      database.close();
    }
  }

  /** Pushes as a device does: until there is a verdict. */
  private static void push(ServiceProcess service, String opId, String rowId) throws Exception {
    String batch = Api.batch(Api.whole(opId, rowId, 1));
    for (int i = 0; i < 200; i++) {
      var answer = service.push(USER, batch);
      if (answer.statusCode() == 200) {
        assertThat(answer.body()).contains("\"" + opId + "\"");
        return;
      }
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      Thread.sleep(100);
    }
    throw new AssertionError("the push was never judged");
  }

  private static String next(EventStream events) throws Exception {
    return CompletableFuture.supplyAsync(() -> read(events)).get(10, TimeUnit.SECONDS);
  }

  private static String read(EventStream events) {
    try {
      return events.next();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedPostgres start(Path data, int port) throws Exception {
    Files.createDirectories(data.getParent());
    return EmbeddedPostgres.builder()
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setPort(port)
        .setPGStartupWait(Duration.ofSeconds(30))
        .start();
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }
}
