package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.Api;
import dev.steadfast.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packaged service in 128 MiB of heap, under more than it can serve. */
class LimitsIT {
  /** More than any other scene opens. */
  private static final int CONNECTIONS = 1_500;

  private static final String LIVE = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final String CHUNKED = "Transfer-Encoding: chunked";

  @TempDir static Path directory;
  private static OwnPostgres postgres;
  private static ServiceProcess service;
  private static final ExecutorService CLIENTS = Executors.newFixedThreadPool(200);

  @BeforeAll
  static void start() throws Exception {
    postgres = new OwnPostgres(directory.resolve("pg"));
    Map<String, String> settings =
        new HashMap<>(ServiceProcess.settings(OwnPostgres.serviceUrl(postgres.port())));
    settings.put("STEADFAST_LIMITS_REQUESTS_PER_SECOND", "10");
    settings.put("STEADFAST_LIMITS_BURST", "100");
    settings.put("STEADFAST_LIMITS_CONNECTIONS", String.valueOf(CONNECTIONS));
    settings.put("STEADFAST_LIMITS_HEAD_TIME", "1s");
    settings.put("STEADFAST_EVENTS_HEARTBEAT", "1s");
    settings.put("STEADFAST_LIMITS_BODY_TIME", "1s");
    service = ServiceProcess.start(settings, "-Xmx128m");
  }

  @AfterAll
  static void stop() throws Exception {
    CLIENTS.shutdownNow();
    service.terminate();
    service.awaitExit();
    String log = service.log();
    service.close();
    postgres.close();
    assertThat(log).doesNotContain("OutOfMemory", " ERROR ", "\tat ").contains("stopped in");
  }

  @Test
  void aClientThatRepeatsFiftyTimesHoldsTwoConnectionsAndWaitsForItself() throws Exception {
    service.pushInCrowd("lost", Api.batch(Api.whole("A:0", "r", 1)));
    try (Database blocker = Database.at(OwnPostgres.url(postgres.port())).begin();
        Database watcher = Database.at(OwnPostgres.url(postgres.port()))) {
      blocker.run("SELECT 1 FROM sync_heads WHERE user_id = 'lost' FOR UPDATE");
      List<Future<HttpResponse<String>>> fifty =
          all(50, i -> () -> service.pushInCrowd("lost", Api.batch(Api.whole("A:1", "r", 2))));
      watcher.awaitWaiting("INSERT INTO sync_heads");
      Thread.sleep(500);
      assertThat(watcher.waiting("INSERT INTO sync_heads")).isEqualTo(2);
      assertThat(service.pushInCrowd("other", Api.batch(Api.whole("B:1", "r", 1))).statusCode())
          .isEqualTo(200);
      Map<Integer, Long> statuses = statuses(fifty);
      assertThat(statuses).containsEntry(429, 48L).containsEntry(503, 2L);
      for (Future<HttpResponse<String>> each : fifty) {
        assertThat(each.get().headers().firstValue("Retry-After")).isPresent();
        assertThat(each.get().body()).contains("\"code\":");
      }
    }
    assertThat(service.pushInCrowd("lost", Api.batch(Api.whole("A:1", "r", 2))).body())
        .contains("applied");
  }

  @Test
  void clientsThatLeaveWhileTheirPageIsReadTakeNothingAlong() throws Exception {
    service.pushInCrowd("leaver0", thousand("leaver0"));
    for (int i = 0; i < 90; i++) {
      try (RawConnection client = new RawConnection(service)) {
        client.send(
            "GET /sync/pull?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + ServiceProcess.token("leaver0")
                + "\r\n\r\n");
        Thread.sleep(i % 10);
      }
    }
    String metrics = service.get("/q/metrics").body();
    for (int i = 0; i < 50 && !isFree(metrics); i++) {
      Thread.sleep(100);
      metrics = service.get("/q/metrics").body();
    }
    assertThat(isFree(metrics)).as(metrics).isTrue();
    assertThat(service.get("/sync/pull", "patient").headers().firstValue("RateLimit")).isPresent();
  }

  private static boolean isFree(String metrics) {
    return metrics.contains("steadfast_limits_held_bytes 0.0\n")
        && metrics.contains("steadfast_limits_taken{kind=\"read\"} 0.0\n");
  }

  @Test
  void aPersonBeyondItsRateIsSentAwayAndNobodyElse() throws Exception {
    String token = ServiceProcess.token("eager");
    List<Future<HttpResponse<String>>> many =
        all(400, i -> () -> service.getAs(token, "/sync/limits"));
    Map<Integer, Long> statuses = statuses(many);
    assertThat(statuses.keySet()).containsExactlyInAnyOrder(200, 429);
    assertThat(statuses.get(200)).isGreaterThanOrEqualTo(100);
    HttpResponse<String> refused =
        many.stream().map(LimitsIT::result).filter(r -> r.statusCode() == 429).findAny().get();
    assertThat(refused.body()).contains("\"code\":\"TOO_MANY_REQUESTS\"");
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"person\";q=100;w=10");
    assertThat(refused.headers().firstValue("RateLimit").get()).matches("\"person\";r=0;t=\\d+");
    HttpResponse<String> other = service.get("/sync/limits", "patient");
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(other.headers().firstValue("RateLimit")).hasValue("\"person\";r=99;t=1");
  }

  @Test
  void twoHundredClientsWithThousandOperationsEachAreServedInHundredTwentyEightMebibytes()
      throws Exception {
    List<Future<Integer>> all =
        all(
            200,
            i ->
                () -> {
                  String user = "crowd" + i;
                  String batch = thousand(user);
                  for (int busy = 0; ; busy++) {
                    HttpResponse<String> answer = service.pushInCrowd(user, batch);
                    if (answer.statusCode() == 200) {
                      assertThat(answer.body().split("applied")).hasSize(1001);
                      return busy;
                    }
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                    Thread.sleep(500);
                  }
                });
    int probes = 0;
    while (all.stream().anyMatch(each -> !each.isDone())) {
      assertLive();
      assertThat(service.status("/q/health/ready")).isEqualTo(200);
      probes++;
      Thread.sleep(50);
    }
    int busy = 0;
    for (Future<Integer> each : all) {
      busy += each.get();
    }
    System.out.printf("200 x 1,000 operations: %d times busy, %d probes%n", busy, probes);
    try (Database database = Database.at(OwnPostgres.url(postgres.port()))) {
      assertThat(database.one("SELECT count(*) FROM sync_verdicts WHERE user_id LIKE 'crowd%'"))
          .isEqualTo("200000");
    }
  }

  @Test
  void aHeadThatArrivesByteByByteIsCutOffAndAConnectionInUseIsNot() throws Exception {
    try (RawConnection slow = new RawConnection(service);
        RawConnection kept = new RawConnection(service)) {
      assertThat(kept.send(LIVE).readAll(1)).startsWith("HTTP/1.1 200");
      assertThat(slow.send("GET / HTTP/1.1\r\nX: ").trickle('a', 10)).isEmpty();
      assertThat(kept.send(LIVE).readAll(1)).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aBodyThatArrivesByteByByteIs408() throws Exception {
    try (RawConnection slow = new RawConnection(service)) {
      String answer = slow.send(head("slow", 1_000_000)).trickle(' ', 10);
      assertThat(answer).startsWith("HTTP/1.1 408").contains("\"code\":\"REQUEST_TIMEOUT\"");
    }
  }

  @Test
  void thousandConnectionsThatSendNothingAndHeadersWithoutEndDisturbNobody() throws Exception {
    List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        silent.add(new RawConnection(service));
      }
      String headers =
          IntStream.range(0, 10_000)
              .mapToObj(i -> "X-" + i + ": a\r\n")
              .collect(Collectors.joining());
      try (RawConnection greedy = new RawConnection(service)) {
        greedy.send("GET /sync/limits HTTP/1.1\r\nHost: localhost\r\n");
        try {
          greedy.send(headers + "\r\n");
        } catch (IOException cutOff) {
          // Before all of them were sent.
        }
        assertThat(greedy.readAll(5)).matches("(?s)|HTTP/1.1 431.*HEADERS_TOO_LARGE.*");
      }
      assertThat(service.pushInCrowd("calm", Api.batch(Api.whole("A:1", "r", 1))).statusCode())
          .isEqualTo(200);
    } finally {
      for (RawConnection each : silent) {
        each.close();
      }
    }
  }

  @Test
  void connectionsBeyondTheBoundTakeThePlaceOfSilentOnesAndOfNoOther() throws Exception {
    service.pushInCrowd("calm", Api.batch(Api.whole("A:2", "r", 1)));
    String batch = Api.batch(Api.whole("A:3", "r", 2));
    List<RawConnection> silent = new ArrayList<>();
    try (Database blocker = Database.at(OwnPostgres.url(postgres.port())).begin();
        Database watcher = Database.at(OwnPostgres.url(postgres.port()));
        RawConnection busy = new RawConnection(service)) {
      blocker.run("SELECT 1 FROM sync_heads WHERE user_id = 'calm' FOR UPDATE");
      busy.send(push("calm", batch));
      watcher.awaitWaiting("INSERT INTO sync_heads");
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        silent.add(new RawConnection(service));
        if (i % 100 == 0) {
          assertLive();
        }
      }
      blocker.commit();
      assertThat(busy.readAll(1)).startsWith("HTTP/1.1 200").contains("applied");
      assertThat(silent.get(0).readAll(1)).isEmpty();
      assertThat(silent.get(0).isOver()).isTrue();
      assertThat(silent.get(silent.size() - 1).isOver()).isFalse();
      String metrics = service.get("/q/metrics").body();
      assertThat(number(metrics, "steadfast_limits_connections"))
          .isBetween(CONNECTIONS / 2.0, (double) CONNECTIONS);
      assertThat(number(metrics, "steadfast_limits_connections_closed_total"))
          .isGreaterThanOrEqualTo(CONNECTIONS);
      assertThat(service.log()).contains("more than " + CONNECTIONS + " connections");
    } finally {
      for (RawConnection each : silent) {
        each.close();
      }
    }
  }

  private static void assertLive() throws Exception {
    HttpResponse<String> answer = service.get("/q/health/live");
    assertThat(answer.statusCode()).as("%s%n%s", answer.body(), service.log()).isEqualTo(200);
  }

  /** The value once it has come down to this, or after five seconds. */
  private static double settled(String name, double wanted) throws Exception {
    double value = Double.MAX_VALUE;
    for (int i = 0; i < 50 && value > wanted; i++) {
      Thread.sleep(100);
      value = number(service.get("/q/metrics").body(), name);
    }
    return value;
  }

  private static double number(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findAny()
        .orElseThrow(() -> new AssertionError(name + " is not in\n" + metrics));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void aHeadThatCannotBeReadIsAnsweredWithAProblem(String head, int status, String code)
      throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      assertThat(client.send(head + "\r\n\r\n").readAll(5))
          .startsWith("HTTP/1.1 " + status + " ")
          .containsIgnoringCase("content-type: application/problem+json")
          .contains("\"status\":" + status, "\"code\":\"" + code + "\"");
    }
  }

  @Test
  void anUnreadableHeadDoesNotOvertakeTheAnswerBeforeIt() throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      client.send(LIVE + "GET / HTTP/nine\r\n\r\n");
      assertThat(client.readAll(5))
          .matches("(?s)HTTP/1.1 200 .*HTTP/1.1 400 .*problem\\+json.*\"code\":\"BAD_REQUEST\".*");
    }
  }

  @Test
  void aBodyWhoseChunksCannotBeReadIsAnsweredWithAProblem() throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      String head = head("chunky", 0).replace("Content-Length: 0", CHUNKED);
      assertThat(client.send(head + "5\r\n{\"bat\r\nzz\r\n").readAll(5))
          .matches("(?s)HTTP/1.1 400 .*problem\\+json.*\"code\":\"BAD_REQUEST\".*");
    }
  }

  @Test
  void requestsThatAreSentAheadAreAnsweredInOrderAndFillNoMemory() throws Exception {
    List<RawConnection> greedy = new ArrayList<>();
    try (RawConnection reader = new RawConnection(service)) {
      byte[] ahead = LIVE.repeat(20_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 20; i++) {
        RawConnection client = new RawConnection(service);
        greedy.add(client);
        // Its end is not waited for: the pod stops reading.
        CLIENTS.submit(() -> client.send(ahead));
      }
      String user = "ahead";
      StringBuilder requests = new StringBuilder();
      StringBuilder expected = new StringBuilder("(?s)");
      for (int i = 0; i < 30; i++) {
        requests.append(push(user, Api.batch(Api.whole("A:" + i, "r" + i, 1)))).append(LIVE);
        expected.append("HTTP/1.1 200 .{0,900}\"opId\":\"A:").append(i);
        expected.append("\".{0,300}HTTP/1.1 200 .{0,900}\"status\": \"UP\".{0,300}");
      }
      Future<?> sent = CLIENTS.submit(() -> reader.send(requests.toString()));
      String answers = reader.readAll(3);
      sent.get();
      assertThat(answers).matches(expected.toString());
      for (int i = 0; i < 20; i++) {
        assertLive();
        Thread.sleep(50);
      }
    } finally {
      for (RawConnection each : greedy) {
        each.close();
      }
    }
  }

  @Test
  void http2IsNotSpoken() throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      String answer = client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").readAll(5);
      assertThat(answer).matches("(?s)HTTP/1.1 400 .*problem\\+json.*\"code\":\"BAD_REQUEST\".*");
    }
    String upgrade =
        "\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n";
    try (RawConnection client = new RawConnection(service)) {
      String answer = client.send(LIVE.replace("\r\n\r\n", upgrade)).readAll(1);
      assertThat(answer).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void headsOfTinyLinesThatDoNotEndFillNoMemory() throws Exception {
    List<RawConnection> greedy = new ArrayList<>();
    try {
      for (String begin :
          List.of("", LIVE, head("tiny", 0).replace("Content-Length: 0", CHUNKED))) {
        String trailers = begin.contains(CHUNKED) ? "0\r\n" : "GET / HTTP/1.1\r\n";
        String lines = begin + trailers + "a:\r\n".repeat(1_500);
        for (int i = 0; i < 300; i++) {
          RawConnection client = new RawConnection(service);
          greedy.add(client);
          client.send(lines);
        }
        assertLive();
        // This person has made too many requests for a trailer.
        assertThat(greedy.get(greedy.size() - 1).readAll(2))
            .containsPattern("HTTP/1.1 (431|429|503) ");
      }
    } finally {
      for (RawConnection each : greedy) {
        each.close();
      }
    }
  }

  @Test
  void aMillionChunksOfOneByteFillNoMemory() throws Exception {
    String head = head("crumbs", 0).replace("Content-Length: 0", CHUNKED);
    try (RawConnection client = new RawConnection(service)) {
      client.send(head + "1\r\n \r\n".repeat(1_000_000) + "0\r\n\r\n");
      assertThat(client.readAll(20)).startsWith("HTTP/1.1 400 ").contains("MALFORMED_BODY");
    }
    assertLive();
  }

  @Test
  void theLineOfAChunkIsNoAddress() throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      String head = head("chunky", 0).replace("Content-Length: 0", CHUNKED);
      assertThat(client.send(head + "1;" + "x".repeat(9_000) + "\r\n").readAll(5))
          .startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void methodsThatHttpDoesNotKnowLeaveNoTraceInTheMetrics() throws Exception {
    service.get("/sync/pull", "methodical");
    for (int i = 0; i < 100; i++) {
      try (RawConnection client = new RawConnection(service)) {
        client.send("INVENTED" + i + " /sync/pull HTTP/1.1\r\nHost: x\r\n\r\n").readAll(1);
      }
    }
    assertThat(service.get("/q/metrics").body())
        .contains("method=\"GET\"")
        .doesNotContain("INVENTED");
  }

  @Test
  void theHeadOfAStreamEnds() throws Exception {
    String head = head("beheaded", 0).replaceFirst("POST \\S+", "HEAD /sync/events");
    try (RawConnection client = new RawConnection(service)) {
      assertThat(client.send(head + LIVE).readAll(1))
          .matches("(?s)HTTP/1.1 200 .*text/event-stream.*HTTP/1.1 200 .*");
    }
  }

  @Test
  void groupsOfChecksThatAnybodyThinksOfAreNotFound() throws Exception {
    for (int i = 0; i < 150; i++) {
      assertThat(service.status("/q/health/group/" + i)).isEqualTo(404);
    }
  }

  @Test
  void packedBodiesThatDoNotEndFillNoMemory() throws Exception {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write(" ".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
    }
    byte[] begin = Arrays.copyOf(bomb.toByteArray(), 600);
    String head = head("packers", 10_000).replace("\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n");
    List<RawConnection> greedy = new ArrayList<>();
    try {
      for (int i = 0; i < 400; i++) {
        RawConnection client = new RawConnection(service);
        greedy.add(client);
        client.send(head).send(begin);
      }
      for (int i = 0; i < 20; i++) {
        assertLive();
        assertThat(number(service.get("/q/metrics").body(), "steadfast_limits_held_bytes"))
            .isLessThan(1_000_000);
        Thread.sleep(50);
      }
    } finally {
      for (RawConnection each : greedy) {
        each.close();
      }
    }
  }

  @Test
  void aBodyThatDoesNotUnpackIs400() throws Exception {
    try (RawConnection client = new RawConnection(service)) {
      String head = head("packer", 22).replace("\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n");
      assertThat(client.send(head + "this is no gzip at all" + LIVE).readAll(5))
          .matches("(?s)HTTP/1.1 400 .*problem\\+json.*\"code\":\"BAD_REQUEST\".*");
    }
  }

  @Test
  void aHundredAndOneHeadersAreTooMany() throws Exception {
    String head = "GET /sync/limits HTTP/1.1\r\nHost: x\r\n" + "a:\r\n".repeat(100) + "\r\n";
    try (RawConnection client = new RawConnection(service)) {
      assertThat(client.send(head).readAll(1))
          .startsWith("HTTP/1.1 431 ")
          .contains("HEADERS_TOO_LARGE");
      assertThat(client.send(head.replaceFirst("a:\r\n", "")).readAll(1))
          .startsWith("HTTP/1.1 401 ");
    }
  }

  /** The log is looked at when the pod has ended. */
  @Test
  void clientsThatDieAreForgottenWithoutATrace() throws Exception {
    double before = number(service.get("/q/metrics").body(), "steadfast_limits_connections");
    String push = push("dying", Api.batch(Api.whole("A:1", "r", 1)));
    String pull = "GET /sync/pull HTTP/1.1\r\nHost: x\r\n" + bearer("dying") + "\r\n\r\n";
    String events = pull.replace("pull", "events");
    List<String> scenes =
        List.of(
            "",
            "GET / HT",
            LIVE,
            LIVE.repeat(20),
            push + pull.repeat(20) + LIVE.repeat(20),
            events,
            events + LIVE.repeat(5),
            push.substring(0, push.length() - 10));
    for (int i = 0; i < 40; i++) {
      for (String scene : scenes) {
        RawConnection client = new RawConnection(service);
        client.send(scene);
        Thread.sleep(i % 4);
        if (i % 3 == 0) {
          client.close();
        } else {
          client.reset();
        }
      }
    }
    // A stream behind which more was sent is not read: its next comment finds the client gone.
    assertThat(settled("steadfast_limits_pushes", 0)).isZero();
    assertThat(settled("steadfast_limits_connections", before)).isLessThanOrEqualTo(before);
    assertThat(settled("steadfast_limits_requests", 1)).as("this one").isEqualTo(1);
  }

  static Stream<Arguments> unreadable() {
    String line = "GET /sync/limits HTTP/1.1\r\nHost: localhost";
    return Stream.of(
        arguments("GET /" + "a".repeat(100_000) + " HTTP/1.1", 414, "URI_TOO_LONG"),
        arguments(line + "\r\nX: " + "a".repeat(200_000), 431, "HEADERS_TOO_LARGE"),
        arguments(line + "\r\nX-A: a".repeat(10_000), 431, "HEADERS_TOO_LARGE"),
        arguments("GET /sync/limits HTTP/nine\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments(line + "\r\nContent-Length: many", 400, "BAD_REQUEST"),
        arguments(line + "\r\nTransfer-Encoding : chunked", 400, "BAD_REQUEST"),
        arguments("GET /sync/%zz HTTP/1.1\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments("GET /sync/limits?a=% HTTP/1.1\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments(line + "\r\nHost: other", 400, "BAD_REQUEST"),
        arguments(line + "\r\nTransfer-Encoding: xchunked", 400, "BAD_REQUEST"),
        arguments(line + "\r\nTransfer-Encoding: gzip, chunked", 400, "BAD_REQUEST"),
        arguments("GET / HTTP/1.2\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments("GET / HTTP/2.0\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments("BREW / HTTP/1.1\r\nHost: localhost", 400, "BAD_REQUEST"),
        arguments(line + "\r\n: nameless", 400, "BAD_REQUEST"),
        arguments(line + "\r\n" + CHUNKED + "\r\n" + CHUNKED, 400, "BAD_REQUEST"),
        arguments("HELO there", 400, "BAD_REQUEST"));
  }

  @Test
  void bytesThatUnpackToTwentyFiveTimesTheLimitAre413() throws Exception {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 256; i++) {
        zip.write(zeros);
      }
    }
    try (RawConnection client = new RawConnection(service)) {
      String head =
          head("bomber", bomb.size()).replace("\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n");
      client.send(head);
      try {
        client.send(bomb.toByteArray());
      } catch (IOException cutOff) {
        // The answer may have come before the end.
      }
      assertThat(client.readAll(5)).startsWith("HTTP/1.1 413").contains("BODY_TOO_LARGE");
    }
  }

  @Test
  void pagesThatNobodyReadsFillNoMemory() throws Exception {
    String user = "hoarder";
    String word = "ш".repeat(200);
    for (int batch = 0; batch < 4; batch++) {
      int from = batch * 1_000;
      String[] operations =
          IntStream.range(from, from + 1_000)
              .mapToObj(
                  i ->
                      Api.op(
                          "A:" + i,
                          "r" + i,
                          1,
                          "\"exercise\":\"%s\",\"weightKg\":1,\"reps\":1".formatted(word)))
              .toArray(String[]::new);
      assertThat(service.pushInCrowd(user, Api.batch(operations)).statusCode()).isEqualTo(200);
    }
    List<RawConnection> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 90; i++) {
        RawConnection reader = new RawConnection(service);
        readers.add(reader);
        reader.send(
            "GET /sync/pull?limit=1000&cursor="
                + i
                + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + ServiceProcess.token(user)
                + "\r\n\r\n");
      }
      for (int i = 0; i < 20; i++) {
        assertThat(service.status("/q/health/ready")).isEqualTo(200);
        Thread.sleep(50);
      }
      assertThat(service.pushInCrowd("calm", Api.batch(Api.whole("B:1", "s", 1))).statusCode())
          .isEqualTo(200);
    } finally {
      for (RawConnection each : readers) {
        each.close();
      }
    }
  }

  @Test
  void whoHangsUpAndRepeatsGetsNoMoreThanItsTurns() throws Exception {
    service.pushInCrowd("hasty", Api.batch(Api.whole("A:0", "r", 1)));
    String batch = Api.batch(Api.whole("A:1", "r", 2));
    try (Database blocker = Database.at(OwnPostgres.url(postgres.port())).begin();
        Database watcher = Database.at(OwnPostgres.url(postgres.port()))) {
      blocker.run("SELECT 1 FROM sync_heads WHERE user_id = 'hasty' FOR UPDATE");
      String request = push("hasty", batch);
      try (RawConnection one = new RawConnection(service);
          RawConnection two = new RawConnection(service)) {
        one.send(request);
        two.send(request);
        for (int i = 0; i < 100 && watcher.waiting("INSERT INTO sync_heads") < 2; i++) {
          Thread.sleep(20);
        }
      }
      for (int i = 0; i < 10; i++) {
        try (RawConnection client = new RawConnection(service)) {
          client.send(request);
          Thread.sleep(40);
        }
      }
      assertThat(watcher.waiting("INSERT INTO sync_heads")).isEqualTo(2);
      assertThat(service.pushInCrowd("other", Api.batch(Api.whole("B:2", "r", 1))).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void answersThatNobodyReadsFillNoMemory() throws Exception {
    int people = 20;
    String name = "ж".repeat(180);
    List<RawConnection> readers = new ArrayList<>();
    try {
      for (int p = 0; p < people; p++) {
        String user = "silent" + p;
        String[] good = new String[1_000];
        String[] bad = new String[1_000];
        for (int i = 0; i < good.length; i++) {
          good[i] = Api.whole("A:" + i, name + i, 1);
          bad[i] = Api.op(name + ":" + i, name + i, 2, "\"reps\":800");
        }
        while (service.pushInCrowd(user, Api.batch(good)).statusCode() != 200) {
          Thread.sleep(200);
        }
        String refused = Api.batch(bad);
        for (int twice = 0; twice < 2; twice++) {
          RawConnection reader = new RawConnection(service);
          readers.add(reader);
          byte[] body = refused.getBytes(StandardCharsets.UTF_8);
          reader.send(head(user, body.length)).send(body);
        }
      }
      for (int i = 0; i < 10; i++) {
        assertThat(service.status("/q/health/ready")).isEqualTo(200);
        Thread.sleep(100);
      }
    } finally {
      for (RawConnection each : readers) {
        each.close();
      }
    }
    assertThat(service.pushInCrowd("calm", Api.batch(Api.whole("C:1", "t", 1))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void anAnswerNamesNoServerAndForbidsToGuessItsType() throws Exception {
    HttpResponse<String> answer = service.get("/sync/pull", "calm");
    assertThat(answer.headers().map()).containsKeys("ratelimit", "ratelimit-policy");
    assertThat(answer.headers().map())
        .doesNotContainKeys("server", "x-powered-by")
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .containsEntry("cache-control", List.of("no-store"))
        .containsEntry(
            "content-security-policy", List.of("default-src 'none'; frame-ancestors 'none'"));
  }

  private static String thousand(String user) {
    return Api.batch(
        IntStream.range(0, 1_000)
            .mapToObj(i -> Api.whole(user + ":" + i, "r" + i, i))
            .toArray(String[]::new));
  }

  private static String head(String user, int length) {
    return "POST /sync/push HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + bearer(user)
        + "\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private static String push(String user, String batch) {
    return head(user, batch.getBytes(StandardCharsets.UTF_8).length) + batch;
  }

  private static String bearer(String user) {
    return "Authorization: Bearer " + ServiceProcess.token(user);
  }

  private interface Client<T> {
    Callable<T> number(int i);
  }

  private static <T> List<Future<T>> all(int count, Client<T> client) {
    return IntStream.range(0, count)
        .mapToObj(i -> CLIENTS.submit(client.number(i)))
        .collect(Collectors.toList());
  }

  private static <T> T result(Future<T> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<Integer, Long> statuses(List<Future<HttpResponse<String>>> answers) {
    return answers.stream()
        .map(LimitsIT::result)
        .collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
  }
}
