package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.steadfast.Api;
import dev.steadfast.Database;
import dev.steadfast.EventStream;
import dev.steadfast.dev.EmbeddedRoles;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service behind PgBouncer in transaction mode: each transaction may run on another server
 * connection, which had other clients before. It connects as {@code steadfast_app} and migrates
 * directly.
 */
class PgBouncerIT {
  private static final int CLIENTS = 32;
  private static final int PUSHES = 6;

  /** So much is done between two kills. */
  private static final int STEPS = 120;

  private static final String LIMITS =
      """
      SELECT pg_backend_pid() || ' lock_timeout ' || current_setting('lock_timeout')
        || ' statement_timeout ' || current_setting('statement_timeout')
      """;

  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  @TempDir private static Path directory;

  private static OwnPostgres postgres;
  private static PgBouncer pgBouncer;
  private static ServiceProcess service;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        PgBouncer.program().isPresent(),
        "PgBouncer is not installed, so nothing is tested behind it: apt-get install pgbouncer");
    postgres = new OwnPostgres(directory.resolve("data"));
    pgBouncer = new PgBouncer(postgres.port());
    Map<String, String> settings = settings();
    settings.put("QUARKUS_FLYWAY_JDBC_URL", OwnPostgres.serviceUrl(postgres.port()));
    settings.put("STEADFAST_DATABASE_LOCK_TIMEOUT", "700ms");
    service = ServiceProcess.start(settings);
  }

  @AfterAll
  static void stop() throws Exception {
    THREADS.shutdown();
    for (AutoCloseable each : new AutoCloseable[] {service, pgBouncer, postgres}) {
      if (each != null) {
        each.close();
      }
    }
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(ServiceProcess.settings(throughPgBouncer()));
    settings.put("QUARKUS_DATASOURCE_PASSWORD", PgBouncer.PASSWORD);
    return settings;
  }

  private static String throughPgBouncer() {
    return OwnPostgres.serviceUrl(pgBouncer.port()) + "?prepareThreshold=0";
  }

  private static Database client() throws Exception {
    return Database.at(
        throughPgBouncer() + "&user=" + EmbeddedRoles.SERVICE + "&password=" + PgBouncer.PASSWORD);
  }

  private static Database direct() throws Exception {
    return Database.at(OwnPostgres.url(postgres.port()));
  }

  private static HttpResponse<String> push(String user, int number) {
    try {
      return service.push(user, Api.batch(Api.whole("A:" + number, "r" + number, number)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** More often than the driver sends a statement before it would prepare it by name. */
  @Test
  void everyCallWorksAndGivesTheSameAnswerAgain() throws Exception {
    assertThat(service.status("/q/health/started")).isEqualTo(200);
    try (EventStream events = EventStream.open(service.base(), ServiceProcess.token("bounced"))) {
      assertThat(events.next()).isEqualTo("head {\"seq\":0}");
      assertThat(push("bounced", 1).body()).contains("\"applied\"");
      assertThat(events.next()).isEqualTo("head {\"seq\":1}");
      for (int i = 0; i < 25; i++) {
        assertThat(push("bounced", 1).body()).contains("\"duplicate\"");
        assertThat(service.pull("bounced", 0).body()).contains("\"A:1\"", "\"cursor\":1");
      }
    }
    String title = "{\"title\":\"Урок\"}";
    String created = service.keyed("POST", "/publications", "bounced", title).body();
    for (int i = 0; i < 25; i++) {
      HttpResponse<String> again = service.keyed("POST", "/publications", "bounced", title);
      assertThat(again.body()).isEqualTo(created).contains("\"version\":1");
      assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
    String id = created.replaceAll("\\D*(\\d+).*", "$1");
    for (int version = 1; version <= 12; version++) {
      String body = "{\"title\":\"Урок\",\"version\":%d}".formatted(version);
      assertThat(service.keyed("PUT", "/publications/" + id, "k" + version, body).body())
          .contains("\"version\":" + (version + 1));
    }
  }

  @Test
  void aPodThatDoesNotMigrateNeedsNoOtherWayToTheDatabase() throws Exception {
    Map<String, String> settings = settings();
    settings.keySet().removeIf(key -> key.startsWith("QUARKUS_FLYWAY_"));
    settings.put("QUARKUS_FLYWAY_MIGRATE_AT_START", "false");
    push("two-pods", 1);
    try (ServiceProcess other = ServiceProcess.start(settings)) {
      assertThat(other.status("/q/health/started")).isEqualTo(200);
      assertThat(other.push("two-pods", Api.batch(Api.whole("A:1", "r1", 1))).body())
          .contains("\"duplicate\"");
    }
    assertThat(push("two-pods", 2).body()).contains("\"applied\"");
  }

  @Test
  void manyClientsShareFewServerConnections() throws Exception {
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      String user = "crowd-" + client;
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < PUSHES; i++) {
                  assertThat(push(user, i).body()).contains("\"applied\"");
                  assertThat(push(user, i).body()).contains("\"duplicate\"");
                }
              },
              THREADS));
    }
    int most = 0;
    try (Database database = direct()) {
      while (!clients.stream().allMatch(CompletableFuture::isDone)) {
        String sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'steadfast_app'";
        most = Math.max(most, Integer.parseInt(database.one(sessions)));
        Thread.sleep(20);
      }
      for (CompletableFuture<Void> client : clients) {
        client.get();
      }
      assertThat(database.one("SELECT count(*) FROM sync_verdicts WHERE user_id LIKE 'crowd-%'"))
          .isEqualTo(Integer.toString(CLIENTS * PUSHES));
    }
    System.out.printf("%d clients used %d server connections%n", CLIENTS, most);
    assertThat(most).isBetween(2, PgBouncer.POOL_SIZE);
  }

  /** The limits travel with each transaction; what is set for the session would stay behind. */
  @Test
  void aLockedHeadIsGivenUpInTimeAndNoLimitStaysBehind() throws Exception {
    push("locked", 1);
    try (Database holder = direct()) {
      holder.begin().run("SELECT FROM sync_heads WHERE user_id = 'locked' FOR UPDATE");
      List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
      List<Integer> refused = new ArrayList<>();
      for (int i = 0; i < 2 * PgBouncer.POOL_SIZE; i++) {
        waiting.add(CompletableFuture.supplyAsync(() -> push("locked", 2), THREADS));
      }
      for (CompletableFuture<HttpResponse<String>> each : waiting) {
        HttpResponse<String> answer = each.get(10, TimeUnit.SECONDS);
        refused.add(answer.statusCode());
        assertThat(answer.body()).containsAnyOf("UNAVAILABLE", "TOO_MANY_REQUESTS");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      }
      assertThat(refused).containsOnly(429, 503);
      assertThat(refused.stream().filter(status -> status == 503)).hasSizeGreaterThanOrEqualTo(2);
      assertThat(push("unlocked", 1).body()).contains("\"applied\"");
      holder.commit();
    }
    assertThat(push("locked", 2).body()).contains("\"applied\"");
    assertThat(limitsOfAllServerConnections())
        .allMatch(limits -> limits.endsWith(" lock_timeout 0 statement_timeout 0"));
  }

  /** Takes all server connections at once, so that every one is asked. */
  private static List<String> limitsOfAllServerConnections() throws Exception {
    List<Database> clients = new ArrayList<>();
    try {
      List<String> limits = new ArrayList<>();
      for (int i = 0; i < PgBouncer.POOL_SIZE; i++) {
        clients.add(client());
        limits.add(clients.get(i).begin().one(LIMITS));
      }
      assertThat(limits).doesNotHaveDuplicates();
      return limits;
    } finally {
      for (Database client : clients) {
        client.close();
      }
    }
  }

  /** A transaction that waits in PgBouncer is not seen by any limit of the database's. */
  @Test
  void whenAllServerConnectionsAreTakenTheAnswerIs503() throws Exception {
    List<Database> taken = new ArrayList<>();
    try {
      for (int i = 0; i < PgBouncer.POOL_SIZE; i++) {
        taken.add(client());
        taken.get(i).begin().one(LIMITS);
      }
      HttpResponse<String> answer =
          CompletableFuture.supplyAsync(() -> push("late", 1)).get(10, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("UNAVAILABLE");
      assertThat(service.status("/q/health/live")).isEqualTo(200);
    } finally {
      for (Database each : taken) {
        each.close();
      }
    }
    assertThat(untilJudged("late", 1, new AtomicInteger())).contains("\"A:1\"");
  }

  @Test
  void aRestartUnderLoadLosesAndDoublesNothing() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    List<CompletableFuture<Integer>> clients = new ArrayList<>();
    for (int client = 1; client < CLIENTS; client++) {
      String user = "load-" + client;
      clients.add(
          CompletableFuture.supplyAsync(
              () -> {
                int done = 0;
                while (!enough.get()) {
                  untilJudged(user, done++, refused);
                  answered.incrementAndGet();
                }
                return done;
              },
              THREADS));
    }
    CompletableFuture<Integer> editor =
        CompletableFuture.supplyAsync(() -> edit(enough, refused), THREADS);
    for (int restart = 0; restart < 2; restart++) {
      await(answered, STEPS);
      pgBouncer.kill();
      Thread.sleep(150);
      pgBouncer.start();
    }
    await(answered, STEPS);
    enough.set(true);
    int all = 0;
    try (Database database = direct()) {
      for (int client = 1; client < CLIENTS; client++) {
        int done = clients.get(client - 1).get(30, TimeUnit.SECONDS);
        all += done;
        String user = "load-" + client;
        assertThat(database.footprint(user)).isEqualTo("1/%d/%d".formatted(done, done));
        assertThat(database.one("SELECT seq FROM sync_heads WHERE user_id = ?", user))
            .isEqualTo(Integer.toString(done));
      }
      int updates = editor.get(30, TimeUnit.SECONDS);
      assertThat(database.one("SELECT version FROM publications WHERE title IN ('под нагрузкой')"))
          .isEqualTo(Integer.toString(updates + 1));
      assertThat(
              database.one(
                  "SELECT count(*) FROM idempotent_operations WHERE principal = 'anya'"
                      + " AND key LIKE 'load-%'"))
          .isEqualTo(Integer.toString(updates + 1));
      System.out.printf(
          "%d operations and %d keyed updates, %d requests were asked to come again%n",
          all, updates, refused.get());
      assertThat(updates).isPositive();
    }
    assertThat(refused.get()).isPositive();
  }

  private static void await(AtomicInteger count, int more) throws Exception {
    int goal = count.get() + more;
    for (int i = 0; i < 1_500 && count.get() < goal; i++) {
      Thread.sleep(20);
    }
    assertThat(count.get()).as("the clients go on").isGreaterThanOrEqualTo(goal);
  }

  /** Pushes as a device does: until there is a verdict. */
  private static String untilJudged(String user, int number, AtomicInteger refused) {
    return untilAnswered(refused, () -> push(user, number));
  }

  /** Updates one publication again and again, each version under a key of its own. */
  private static int edit(AtomicBoolean enough, AtomicInteger refused) {
    String title = "\"title\":\"под нагрузкой\"";
    String created =
        untilAnswered(
            refused, () -> service.keyed("POST", "/publications", "load-0", "{" + title + "}"));
    String path = "/publications/" + created.replaceAll("\\D*(\\d+).*", "$1");
    int version = 1;
    while (!enough.get()) {
      String key = "load-" + version;
      String body = "{%s,\"version\":%d}".formatted(title, version);
      String answer = untilAnswered(refused, () -> service.keyed("PUT", path, key, body));
      version++;
      assertThat(answer).contains("\"version\":" + version);
    }
    return version - 1;
  }

  private interface Call {
    HttpResponse<String> answer();
  }

  private static String untilAnswered(AtomicInteger refused, Call call) {
    for (int i = 0; i < 500; i++) {
      HttpResponse<String> answer = call.answer();
      if (answer.statusCode() < 300) {
        return answer.body();
      }
      assertThat(answer.body()).containsAnyOf("UNAVAILABLE", "KEY_IN_FLIGHT");
      refused.incrementAndGet();
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError("never answered");
  }
}
