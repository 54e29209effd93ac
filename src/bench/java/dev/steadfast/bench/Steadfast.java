package dev.steadfast.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.jwt.build.Jwt;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The packaged service, in a production configuration, with a heap of 128 MiB. */
final class Steadfast implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ISSUER = "https://issuer.example";
  private static final KeyPair KEYS = keys();
  private static final long TOKEN_SECONDS = 4 * 3600;

  private final String name;
  private final Lab lab;
  private final String database;
  private final String base;
  private final ServerProcess process;
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Map<String, String> cursors = new ConcurrentHashMap<>();

  /**
   * @param binary a native binary; null for the packaged jar
   * @param databasePort where the service finds the database
   */
  Steadfast(String name, Lab lab, Path binary, String database, int databasePort)
      throws Exception {
    this.name = name;
    this.lab = lab;
    this.database = database;
    int port = ServerProcess.freePort();
    base = "http://127.0.0.1:" + port;
    List<String> command = new ArrayList<>();
    if (binary == null) {
      command.add(lab.java().toString());
      command.addAll(List.of("-Xmx128m", "-jar", lab.serviceJar().toString()));
    } else {
      command.addAll(List.of(binary.toAbsolutePath().toString(), "-Xmx128m"));
    }
    process =
        new ServerProcess(
            name.replaceAll("\\W+", "-"),
            command,
            settings(port, Postgres.jdbcUrl(databasePort, database)),
            lab.directory(),
            () -> Http.get(base + "/sync/limits", headers("nobody")));
    process.start();
  }

  private static Map<String, String> settings(int port, String url) {
    String key = Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());
    Map<String, String> settings = new HashMap<>();
    settings.put("QUARKUS_HTTP_HOST", "127.0.0.1");
    settings.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    settings.put("QUARKUS_SHUTDOWN_DELAY", "0s");
    settings.put("QUARKUS_DATASOURCE_JDBC_URL", url);
    settings.put("MP_JWT_VERIFY_PUBLICKEY", key);
    settings.put("MP_JWT_VERIFY_ISSUER", ISSUER);
    // One person pushes here as often as a thousand do elsewhere.
    settings.put("STEADFAST_LIMITS_REQUESTS_PER_SECOND", "1000000");
    settings.put("STEADFAST_LIMITS_BURST", "1000000");
    settings.put("STEADFAST_LIMITS_PUSHES_AT_ONCE", "64");
    return settings;
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, String> headers(String user) {
    String token =
        tokens.computeIfAbsent(
            user,
            sub ->
                Jwt.issuer(ISSUER).subject(sub).expiresIn(TOKEN_SECONDS).sign(KEYS.getPrivate()));
    return Map.of("Authorization", "Bearer " + token, "Content-Type", "application/json");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  String base() {
    return base;
  }

  @Override
  public Push push(String user, List<Op> batch, Expect expect) {
    String status =
        switch (expect) {
          case NEW -> "\"applied\"";
          case REPEATED -> "\"duplicate\"";
          case REFUSED -> "\"rejected\"";
        };
    return new HttpPush(
        base + "/sync/push", headers(user), body(batch), "\"status\":" + status, batch.size());
  }

  /** A batch of operations as Steadfast, and the loop, read it. */
  static byte[] body(List<Op> batch) {
    StringBuilder json = new StringBuilder("{\"batch\":[");
    for (Op op : batch) {
      json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
          .append("{\"opId\":\"")
          .append(op.opId())
          .append("\",\"rowId\":\"")
          .append(op.rowId())
          .append("\",\"at\":")
          .append(op.at())
          .append(",\"fields\":")
          .append(op.fields())
          .append('}');
    }
    return Http.bytes(json.append("]}").toString());
  }

  @Override
  public long pullAll(String user) throws Exception {
    long rows = 0;
    long cursor = 0;
    boolean more = true;
    while (more) {
      JsonNode page = page(user, "cursor=" + cursor + "&limit=1000");
      // One operation made each row: a row is one entry.
      rows += page.get("changes").size();
      cursor = page.get("cursor").asLong();
      more = page.get("hasMore").asBoolean();
      cursors.put(user, "cursor=" + cursor + "&epoch=" + page.get("epoch").asText());
    }
    return rows;
  }

  @Override
  public long pullNothing(String user) throws Exception {
    return page(user, cursors.get(user)).get("changes").size();
  }

  private JsonNode page(String user, String query) throws Exception {
    return JSON.readTree(Http.get(base + "/sync/pull?" + query, headers(user)));
  }

  @Override
  public long bytesOnDisk() throws Exception {
    return lab.postgres().bytes(database);
  }

  String database() {
    return database;
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
