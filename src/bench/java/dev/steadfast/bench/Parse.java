package dev.steadfast.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * parse-server on the same PostgreSQL. A push is {@code POST /parse/batch}: a new row is created
 * under the name that the device gave, an edit is a PUT. The batch is one transaction where all of
 * it must succeed.
 */
final class Parse implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Type", "application/json",
          "X-Parse-Application-Id", "bench",
          "X-Parse-REST-API-Key", "bench-rest");

  private final String name;
  private final Lab lab;
  private final String database;
  private final String base;
  private final ServerProcess process;

  Parse(String name, Lab lab, String database, int databasePort) throws Exception {
    this.name = name;
    this.lab = lab;
    this.database = database;
    int port = ServerProcess.freePort();
    base = "http://127.0.0.1:" + port + "/parse";
    process =
        new ServerProcess(
            name.replaceAll("\\W+", "-"),
            lab.node("parse.mjs"),
            Map.of(
                "PORT", Integer.toString(port),
                "DATABASE_URL", Postgres.url(databasePort, database),
                "NODE_ENV", "production"),
            lab.directory(),
            () -> Http.get(base + "/classes/Row?limit=1", HEADERS));
    process.start();
    // The class, and the indexes that every query of a person needs.
    Op first = new Workload().batch("nobody", 1, Workload.Shape.OWN).get(0);
    byte[] row = Http.bytes("{\"owner\":\"nobody\"," + first.fields().substring(1));
    Http.post(base + "/classes/Row", HEADERS, row);
    lab.postgres().run(database, "CREATE INDEX ON \"Row\" (owner, \"updatedAt\")");
    lab.postgres().run(database, "CREATE INDEX ON \"Row\" (owner, \"objectId\")");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  @Override
  public Push push(String user, List<Op> batch, Expect expect) {
    StringBuilder json = new StringBuilder("{");
    json.append(expect == Expect.NEW ? "\"transaction\":true," : "").append("\"requests\":[");
    for (Op op : batch) {
      json.append(json.charAt(json.length() - 1) == '[' ? "" : ",");
      if (op.isEdit()) {
        json.append("{\"method\":\"PUT\",\"path\":\"/parse/classes/Row/")
            .append(op.rowId())
            .append("\",\"body\":")
            .append(op.fields());
      } else {
        json.append("{\"method\":\"POST\",\"path\":\"/parse/classes/Row\",\"body\":{\"objectId\":\"")
            .append(op.rowId())
            .append("\",\"owner\":\"" + user + "\",")
            .append(op.fields().substring(1));
      }
      json.append('}');
    }
    String fate =
        switch (expect) {
          case NEW -> "\"success\"";
          case REPEATED -> "\"code\":137";
          case REFUSED -> "повторов больше сотни";
        };
    byte[] body = Http.bytes(json.append("]}").toString());
    return new HttpPush(base + "/batch", HEADERS, body, fate, batch.size());
  }

  /** As the SDK's {@code query.each} does: by name, a thousand at a time. */
  @Override
  public long pullAll(String user) throws Exception {
    long rows = 0;
    String last = "";
    JsonNode page;
    do {
      String after = last.isEmpty() ? "" : ",\"objectId\":{\"$gt\":\"" + last + "\"}";
      String where = "{\"owner\":\"" + user + "\"" + after + "}";
      page = page(where, "objectId");
      if (!page.isEmpty()) {
        last = page.get(page.size() - 1).get("objectId").asText();
      }
      rows += page.size();
    } while (!page.isEmpty());
    return rows;
  }

  @Override
  public long pullNothing(String user) throws Exception {
    String since = "{\"__type\":\"Date\",\"iso\":\"" + Instant.now() + "\"}";
    String where = "{\"owner\":\"%s\",\"updatedAt\":{\"$gt\":%s}}".formatted(user, since);
    return page(where, "updatedAt").size();
  }

  private JsonNode page(String where, String order) throws Exception {
    String query = "limit=1000&order=%s&where=%s";
    String url = query.formatted(order, URLEncoder.encode(where, StandardCharsets.UTF_8));
    return JSON.readTree(Http.get(base + "/classes/Row?" + url, HEADERS)).get("results");
  }

  @Override
  public long bytesOnDisk() throws Exception {
    return lab.postgres().bytes(database);
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
