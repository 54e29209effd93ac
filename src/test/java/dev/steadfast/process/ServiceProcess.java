package dev.steadfast.process;

import dev.steadfast.dev.EmbeddedRoles;
import io.smallrye.jwt.build.Jwt;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The packaged service as a process of its own, in production mode. */
final class ServiceProcess implements AutoCloseable {
  static final String ISSUER = "https://issuer.example";

  private static final KeyPair KEYS = keys();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A connection for each request that is under way, as from many clients. */
  private static final HttpClient CROWD =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Map<String, String> TOKENS = new ConcurrentHashMap<>();
  private static final int START_SECONDS = 60;

  private final Process process;
  private final Path log;
  private final int port;

  private ServiceProcess(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * What a production needs: it migrates as the database's owner, and serves with less.
   *
   * @param databaseUrl without a user: one in the URL would be the user of both
   */
  static Map<String, String> settings(String databaseUrl) {
    Map<String, String> settings = new HashMap<>(settingsOfOneRole(databaseUrl));
    settings.put("QUARKUS_DATASOURCE_USERNAME", EmbeddedRoles.SERVICE);
    settings.put("QUARKUS_FLYWAY_USERNAME", EmbeddedRoles.OWNER);
    settings.put("QUARKUS_FLYWAY_PASSWORD", "the test's server trusts everybody");
    return settings;
  }

  /** What a production needs, if the user in the URL both migrates and serves. */
  static Map<String, String> settingsOfOneRole(String databaseUrl) {
    String key = Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());
    return Map.of(
        "QUARKUS_DATASOURCE_JDBC_URL", databaseUrl,
        "MP_JWT_VERIFY_PUBLICKEY", key,
        "MP_JWT_VERIFY_ISSUER", ISSUER);
  }

  /** Starts the service; it may still be starting, or have refused to. */
  static ServiceProcess launch(Map<String, String> environment, String... options)
      throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path log = Files.createTempFile("service", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A quick start is worth more to a test than a fast long run.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(options));
    command.add("-Dquarkus.http.port=" + port);
    command.add("-jar");
    command.add(System.getProperty("service.jar"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new ServiceProcess(builder.start(), log, port);
  }

  /** Starts the service and waits until it is ready. */
  static ServiceProcess start(Map<String, String> environment, String... options) throws Exception {
    ServiceProcess service = launch(environment, options);
    service.await("/q/health/ready");
    return service;
  }

  /** Waits until it answers, whether it is ready or not. */
  void awaitAlive() throws Exception {
    await("/q/health/live");
  }

  private void await(String probe) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (status(probe) != 200) {
      if (!process.isAlive() || System.nanoTime() > end) {
        kill();
        throw new AssertionError("the service did not start:\n" + log());
      }
      Thread.sleep(100);
    }
  }

  /** A token of this person; signing is slow, so each is made once. */
  static String token(String user, String... groups) {
    return TOKENS.computeIfAbsent(
        user + " " + String.join(" ", groups),
        key ->
            Jwt.issuer(ISSUER)
                .subject(user)
                .groups(Set.of(groups))
                .expiresIn(3600)
                .sign(KEYS.getPrivate()));
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** The status of a GET, or 0 if nobody answers. */
  int status(String path) throws InterruptedException {
    try {
      return get(path).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HTTP.send(request(path).build(), body());
  }

  /** A GET of this person. */
  HttpResponse<String> get(String path, String user) {
    return getAs(token(user), path);
  }

  /** A GET with this token, on a connection of its own. */
  HttpResponse<String> getAs(String token, String path) {
    HttpRequest request = request(path).header("Authorization", "Bearer " + token).build();
    try {
      return CROWD.send(request, body());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> push(String user, String json) throws IOException, InterruptedException {
    return push(HTTP, user, json);
  }

  /** A push that shares no connection with another that is under way. */
  HttpResponse<String> pushInCrowd(String user, String json)
      throws IOException, InterruptedException {
    return push(CROWD, user, json);
  }

  private HttpResponse<String> push(HttpClient client, String user, String json)
      throws IOException, InterruptedException {
    HttpRequest request =
        request("/sync/push")
            .header("Authorization", "Bearer " + token(user))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return client.send(request, body());
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  HttpResponse<String> pull(String user, long cursor) throws IOException, InterruptedException {
    HttpRequest request =
        request("/sync/pull?cursor=" + cursor)
            .header("Authorization", "Bearer " + token(user))
            .build();
    return HTTP.send(request, body());
  }

  /** Where the service is. */
  String base() {
    return "http://localhost:" + port;
  }

  /** A call of an editor with an {@code Idempotency-Key}. */
  HttpResponse<String> keyed(String method, String path, String key, String json) {
    HttpRequest request =
        request(path)
            .header("Authorization", "Bearer " + token("anya", "editor"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .method(method, HttpRequest.BodyPublishers.ofString(json))
            .build();
    try {
      return HTTP.send(request, body());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base() + path));
  }

  private static HttpResponse.BodyHandler<String> body() {
    return HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8);
  }

  /** The exit code of a service that ends by itself. */
  int awaitExit() throws Exception {
    if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
      kill();
      throw new AssertionError("the service did not end:\n" + log());
    }
    return process.exitValue();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    kill();
    Files.deleteIfExists(log);
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
