package dev.steadfast.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * express-pouchdb over LevelDB: the protocol of CouchDB, one database a person. A push is what a
 * replicating PouchDB sends: {@code _revs_diff}, then {@code _bulk_docs} with the revisions that
 * are missing. A row is a document, an operation a revision of it.
 */
final class Pouch implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json");

  private final Path data;
  private final String base;
  private final ServerProcess process;
  private final Set<String> people = ConcurrentHashMap.newKeySet();
  private final Map<String, List<String>> revisions = new ConcurrentHashMap<>();
  private final Map<String, String> cursors = new ConcurrentHashMap<>();

  Pouch(Lab lab) throws Exception {
    data = lab.fresh("pouch");
    int port = ServerProcess.freePort();
    base = "http://127.0.0.1:" + port;
    process =
        new ServerProcess(
            "pouch",
            lab.node("pouch.mjs"),
            Map.of(
                "PORT", Integer.toString(port), "DATA", data.toString(), "NODE_ENV", "production"),
            data,
            () -> Http.get(base + "/", HEADERS));
    process.start();
  }

  @Override
  public String name() {
    return "pouch";
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  @Override
  public void admit(String user) throws Exception {
    if (people.add(user)) {
      Http.send("PUT", base + "/" + user, HEADERS, new byte[0]);
    }
  }

  /** Replicated revisions are taken as they are. */
  @Override
  public boolean can(Expect expect) {
    return expect != Expect.REFUSED;
  }

  @Override
  public Push push(String user, List<Op> batch, Expect expect) {
    StringBuilder diff = new StringBuilder("{");
    StringBuilder docs = new StringBuilder("{\"new_edits\":false,\"docs\":[");
    Map<String, List<String>> asked = new java.util.LinkedHashMap<>();
    for (Op op : batch) {
      String hash = op.opId().replaceAll("\\W", "").substring(3);
      List<String> known = revisions.computeIfAbsent(op.rowId(), row -> new ArrayList<>());
      if (!known.contains(hash)) {
        known.add(hash);
      }
      int generation = known.indexOf(hash) + 1;
      asked.computeIfAbsent(op.rowId(), row -> new ArrayList<>()).add(generation + "-" + hash);
      append(docs, op, generation, hash, generation > 1 ? known.get(generation - 2) : null);
    }
    asked.forEach(
        (row, list) ->
            diff.append(diff.length() > 1 ? "," : "")
                .append("\"" + row + "\":[\"" + String.join("\",\"", list) + "\"]"));
    byte[] diffBody = Http.bytes(diff.append("}").toString());
    byte[] docsBody = Http.bytes(docs.append("]}").toString());
    return new Push() {
      private int missing;

      @Override
      public void send() throws Exception {
        byte[] answer = Http.post(base + "/" + user + "/_revs_diff", HEADERS, diffBody);
        missing = Http.count(answer, "-");
        if (expect == Expect.NEW) {
          Http.post(base + "/" + user + "/_bulk_docs", HEADERS, docsBody);
        }
      }

      @Override
      public void check() {
        if (expect == Expect.REPEATED ? missing > 0 : missing < batch.size()) {
          throw new IllegalStateException(missing + " revisions are missing");
        }
      }
    };
  }

  private static void append(
      StringBuilder docs, Op op, int generation, String hash, String parent) {
    docs.append(docs.charAt(docs.length() - 1) == '[' ? "" : ",")
        .append("{\"_id\":\"%s\",\"_rev\":\"%d-%s\",".formatted(op.rowId(), generation, hash))
        .append("\"_revisions\":{\"start\":%d,\"ids\":[\"%s\"".formatted(generation, hash))
        .append(parent == null ? "]}," : ",\"" + parent + "\"]},")
        .append(op.row().substring(1));
  }

  @Override
  public long pullAll(String user) throws Exception {
    long rows = 0;
    int page;
    cursors.put(user, "0");
    do {
      page = page(user);
      rows += page;
    } while (page > 0);
    return rows;
  }

  @Override
  public long pullNothing(String user) throws Exception {
    return page(user);
  }

  private int page(String user) throws Exception {
    String query = "/_changes?include_docs=true&limit=1000&since=" + cursors.get(user);
    JsonNode page = JSON.readTree(Http.get(base + "/" + user + query, HEADERS));
    cursors.put(user, page.get("last_seq").asText());
    return page.get("results").size();
  }

  @Override
  public long bytesOnDisk() throws Exception {
    return Lab.bytesIn(data);
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
