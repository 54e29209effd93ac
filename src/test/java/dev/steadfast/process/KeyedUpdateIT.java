package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.steadfast.Database;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A keyed update survives what kills the service, its connection, and the database. */
class KeyedUpdateIT {
  private static final String CREATED = "{\"id\":1,\"title\":\"Урок\",\"version\":1}";

  @TempDir private Path directory;

  private final List<String> events = new CopyOnWriteArrayList<>();

  @Test
  void everyAnswerSurvives() throws Exception {
    HttpServer receiver = receiver();
    try (OwnPostgres postgres = new OwnPostgres(directory.resolve("data"));
        CutAfterCommit proxy = new CutAfterCommit(postgres.port())) {
      String direct = OwnPostgres.url(postgres.port());
      Map<String, String> settings =
          ServiceProcess.settings(OwnPostgres.serviceUrl(postgres.port()));
      settings.put(
          "STEADFAST_OUTBOX_TARGET", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
      try (ServiceProcess service = ServiceProcess.start(settings)) {
        assertThat(line(post(service))).isEqualTo("201 " + CREATED);
        assertThat(line(put(service, "op-1", 1))).isEqualTo("200 " + updated(2));
        assertThat(state(direct)).isEqualTo("version 2, journal 2, intents 2");
        bothEventsArriveInOrder();
      }
      String cuttable = OwnPostgres.serviceUrl(proxy.port()) + "?prepareThreshold=0";
      try (ServiceProcess service = ServiceProcess.start(ServiceProcess.settings(cuttable))) {
        assertThat(line(post(service))).isEqualTo("replayed 201 " + CREATED);
        assertThat(line(put(service, "op-1", 1))).isEqualTo("replayed 200 " + updated(2));
        assertThat(state(direct)).isEqualTo("version 2, journal 2, intents 2");
        theAnswerOfACommitIsLost(service, proxy, direct);
        theDatabaseIsKilledBeforeACommit(service, postgres, direct);
      }
    } finally {
      receiver.stop(0);
    }
  }

  private void bothEventsArriveInOrder() throws InterruptedException {
    for (int i = 0; i < 200 && events.size() < 2; i++) {
      Thread.sleep(50);
    }
    assertThat(events).hasSize(2);
    assertThat(events.get(0)).contains("\"type\":\"dev.steadfast.publication.created\"", CREATED);
    assertThat(events.get(1))
        .contains("\"type\":\"dev.steadfast.publication.updated\"", updated(2));
  }

  private static void theAnswerOfACommitIsLost(
      ServiceProcess service, CutAfterCommit proxy, String direct) throws Exception {
    proxy.cutNext();
    assertThat(line(put(service, "op-2", 2))).startsWith("503 ").contains("UNAVAILABLE");
    assertThat(proxy.isArmed()).isFalse();
    assertThat(state(direct)).isEqualTo("version 3, journal 3, intents 3");
    assertThat(line(put(service, "op-2", 2))).isEqualTo("replayed 200 " + updated(3));
    assertThat(state(direct)).isEqualTo("version 3, journal 3, intents 3");
  }

  private static void theDatabaseIsKilledBeforeACommit(
      ServiceProcess service, OwnPostgres postgres, String direct) throws Exception {
    CompletableFuture<HttpResponse<String>> update;
    try (Database holder = Database.at(direct);
        Database reader = Database.at(direct)) {
      holder.begin().run("LOCK TABLE outbox IN EXCLUSIVE MODE");
      update = CompletableFuture.supplyAsync(() -> put(service, "op-3", 3));
      reader.awaitWaiting("INSERT INTO outbox");
      postgres.kill();
    }
    assertThat(line(update.get())).startsWith("503 ").contains("UNAVAILABLE");
    postgres.start();
    assertThat(state(direct)).isEqualTo("version 3, journal 3, intents 3");
    HttpResponse<String> again = put(service, "op-3", 3);
    for (int i = 0; i < 100 && again.statusCode() == 503; i++) {
      Thread.sleep(50);
      again = put(service, "op-3", 3);
    }
    assertThat(line(again)).isEqualTo("200 " + updated(4));
    assertThat(line(put(service, "op-3", 3))).isEqualTo("replayed 200 " + updated(4));
    assertThat(state(direct)).isEqualTo("version 4, journal 4, intents 4");
  }

  private HttpServer receiver() throws Exception {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    receiver.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          events.add(new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(202, -1);
          exchange.close();
        });
    receiver.start();
    return receiver;
  }

  private static HttpResponse<String> post(ServiceProcess service) {
    return service.keyed("POST", "/publications", "create", "{\"title\":\"Урок\"}");
  }

  private static HttpResponse<String> put(ServiceProcess service, String key, int version) {
    String body = "{\"title\":\"Новый урок\",\"version\":%d}".formatted(version);
    return service.keyed("PUT", "/publications/1", key, body);
  }

  private static String updated(int version) {
    return "{\"id\":1,\"title\":\"Новый урок\",\"version\":%d}".formatted(version);
  }

  private static String line(HttpResponse<String> answer) {
    String replayed =
        answer.headers().firstValue("Idempotent-Replayed").isPresent() ? "replayed " : "";
    return replayed + answer.statusCode() + " " + answer.body();
  }

  private static String state(String url) throws Exception {
    try (Database database = Database.at(url)) {
      return database.one(
          """
          SELECT 'version ' || (SELECT version FROM publications WHERE id = 1)
            || ', journal ' || (SELECT count(*) FROM idempotent_operations)
            || ', intents ' || (SELECT count(*) FROM outbox)
          """);
    }
  }
}
