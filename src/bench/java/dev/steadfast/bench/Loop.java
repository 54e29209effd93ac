package dev.steadfast.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The simple rule that Steadfast answers like: one operation at a time, on Node with pg. */
final class Loop implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json");

  private final String name;
  private final Lab lab;
  private final String database;
  private final String base;
  private final ServerProcess process;
  private final Map<String, Long> cursors = new ConcurrentHashMap<>();

  Loop(String name, Lab lab, String database, int databasePort) throws Exception {
    this.name = name;
    this.lab = lab;
    this.database = database;
    int port = ServerProcess.freePort();
    base = "http://127.0.0.1:" + port;
    process =
        new ServerProcess(
            name.replaceAll("\\W+", "-"),
            lab.node("loop.mjs"),
            Map.of(
                "PORT", Integer.toString(port),
                "DATABASE_URL", Postgres.url(databasePort, database),
                "NODE_ENV", "production"),
            lab.directory(),
            () -> Http.get(base + "/pull?user=nobody&cursor=0", HEADERS));
    process.start();
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
    String status =
        switch (expect) {
          case NEW -> "\"applied\"";
          case REPEATED -> "\"duplicate\"";
          case REFUSED -> "\"rejected\"";
        };
    return new HttpPush(
        base + "/push?user=" + user,
        HEADERS,
        Steadfast.body(batch),
        "\"status\":" + status,
        batch.size());
  }

  @Override
  public long pullAll(String user) throws Exception {
    long rows = 0;
    boolean more = true;
    cursors.put(user, 0L);
    while (more) {
      JsonNode page = JSON.readTree(page(user));
      rows += page.get("changes").size();
      more = page.get("hasMore").asBoolean();
      cursors.put(user, page.get("cursor").asLong());
    }
    return rows;
  }

  @Override
  public long pullNothing(String user) throws Exception {
    return JSON.readTree(page(user)).get("changes").size();
  }

  private byte[] page(String user) throws Exception {
    return Http.get(base + "/pull?user=" + user + "&cursor=" + cursors.get(user), HEADERS);
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
