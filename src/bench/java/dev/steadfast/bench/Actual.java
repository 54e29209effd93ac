package dev.steadfast.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sync server of Actual: messages of one field each, kept in one SQLite file a person. A push
 * is {@code POST /sync/sync} in protocol buffers, which also answers with what is new since a time.
 */
final class Actual implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BEGINNING = "1970-01-01T00:00:00.000Z-0000-0000000000000000";
  private static final String END = "2099-01-01T00:00:00.000Z-0000-0000000000000000";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Path data;
  private final String base;
  private final ServerProcess process;
  private final Map<String, String> groups = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private String token;

  Actual(Lab lab) throws Exception {
    data = lab.fresh("actual");
    int port = ServerProcess.freePort();
    base = "http://127.0.0.1:" + port;
    Map<String, String> environment =
        Map.of(
            "ACTUAL_PORT", Integer.toString(port),
            "ACTUAL_HOSTNAME", "127.0.0.1",
            "ACTUAL_DATA_DIR", data.toString(),
            "ACTUAL_TRUSTED_PROXIES", "127.0.0.1/32",
            "NODE_ENV", "production");
    process =
        new ServerProcess(
            "actual",
            lab.node("node_modules/@actual-app/sync-server/build/bin/actual-server.js"),
            environment,
            data,
            () -> Http.get(base + "/account/needs-bootstrap", headers("application/json")));
    process.start();
    byte[] password = Http.bytes("{\"password\":\"benchmark\"}");
    byte[] answer = Http.post(base + "/account/bootstrap", headers("application/json"), password);
    token = JSON.readTree(answer).at("/data/token").asText();
  }

  /** The server lets an address make 500 requests a minute: every request comes from another. */
  private Map<String, String> headers(String type) {
    long n = requests.incrementAndGet();
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Type", type);
    headers.put(
        "X-Forwarded-For", "10.%d.%d.%d".formatted(n >> 16 & 255, n >> 8 & 255, n & 255));
    if (token != null) {
      headers.put("X-ACTUAL-TOKEN", token);
    }
    return headers;
  }

  @Override
  public void admit(String user) throws Exception {
    if (!groups.containsKey(user)) {
      Map<String, String> headers = headers("application/encrypted-file");
      headers.put("X-ACTUAL-NAME", user);
      headers.put("X-ACTUAL-FILE-ID", user);
      headers.put("X-ACTUAL-FORMAT", "2");
      byte[] answer = Http.post(base + "/sync/upload-user-file", headers, new byte[16]);
      groups.put(user, JSON.readTree(answer).get("groupId").asText());
    }
  }

  @Override
  public String name() {
    return "actual";
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  /** It checks nothing: no message is ever refused. */
  @Override
  public boolean can(Expect expect) {
    return expect != Expect.REFUSED;
  }

  @Override
  public Push push(String user, List<Op> batch, Expect expect) {
    Protobuf request = new Protobuf();
    for (Op op : batch) {
      if (!op.isEdit()) {
        message(request, op, 0, "exercise", "S:" + Op.EXERCISE);
        message(request, op, 1, "reps", "N:" + op.reps());
      }
      message(request, op, 2, "weightKg", "N:" + op.weightKg());
    }
    byte[] body = envelope(request, user, END);
    Map<String, String> headers = headers("application/actual-sync");
    // The answer is the merkle trie of all messages, and no message, none being later than END.
    return new HttpPush(
        base + "/sync/sync", headers, body, "\"hash\":", HttpPush.AT_LEAST_ONCE);
  }

  private static void message(Protobuf request, Op op, int field, String column, String value) {
    Protobuf content =
        new Protobuf().text(1, "rows").text(2, op.rowId()).text(3, column).text(4, value);
    String time =
        TIME.format(Instant.ofEpochMilli(op.at())) + "-%04X-%016x".formatted(field, 0xbe7cL);
    request.bytes(1, new Protobuf().text(1, time).bytes(3, content.toBytes()).toBytes());
  }

  private byte[] envelope(Protobuf request, String user, String since) {
    return request.text(2, user).text(3, groups.get(user)).text(6, since).toBytes();
  }

  @Override
  public long pullAll(String user) throws Exception {
    return pull(user, BEGINNING);
  }

  @Override
  public long pullNothing(String user) throws Exception {
    return pull(user, END);
  }

  private long pull(String user, String since) throws Exception {
    byte[] body = envelope(new Protobuf(), user, since);
    byte[] answer = Http.post(base + "/sync/sync", headers("application/actual-sync"), body);
    return Http.count(answer, "Z-0002-");
  }

  @Override
  public long bytesOnDisk() throws Exception {
    return Lab.bytesIn(data.resolve("user-files"));
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
