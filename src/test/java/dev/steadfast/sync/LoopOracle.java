package dev.steadfast.sync;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.steadfast.sync.History.Kind;
import dev.steadfast.sync.History.Op;
import dev.steadfast.sync.History.Value;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The acceptance of a batch as the rules tell it: one operation after another, each with statements
 * of its own. It shares no code with the service; slow, and plain to read.
 */
final class LoopOracle {
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final long MAX_AHEAD = 86_400_000;

  private final Connection connection;
  private final String user;

  /** What each name said first, to tell a repeat with another content. */
  private final Map<String, String> contents = new HashMap<>();

  LoopOracle(Connection connection, String user) {
    this.connection = connection;
    this.user = user;
  }

  /** The answer to a push as JSON, or null for SCHEMA_AHEAD. */
  JsonNode push(OracleContract contract, List<Op> batch) throws SQLException {
    connection.setAutoCommit(false);
    update("INSERT INTO sync_heads (user_id) VALUES (?) ON CONFLICT DO NOTHING", user);
    query("SELECT seq FROM sync_heads WHERE user_id = ? FOR UPDATE", user);
    long now =
        Long.parseLong(
            query("SELECT floor(extract(epoch FROM now()) * 1000)::bigint::text").get(0));
    ArrayNode verdicts = JSON.createArrayNode();
    Map<String, ObjectNode> rejected = new LinkedHashMap<>();
    int judged = 0;
    for (Op op : batch) {
      ObjectNode verdict = judge(contract, op, now);
      if (verdict == null) {
        break;
      }
      judged++;
      verdicts.add(verdict);
      if (verdict.get("status").textValue().equals("rejected")) {
        rejected.putIfAbsent(op.rowId(), verdict);
      }
    }
    if (judged == 0) {
      connection.rollback();
      return null;
    }
    for (Map.Entry<String, ObjectNode> first : rejected.entrySet()) {
      first.getValue().set("row", entries(first.getKey()));
    }
    connection.commit();
    ObjectNode answer = JSON.createObjectNode();
    answer.set("verdicts", verdicts);
    if (judged < batch.size()) {
      answer.putObject("left").put("count", batch.size() - judged).put("code", "SCHEMA_AHEAD");
    }
    return answer;
  }

  private ObjectNode judge(OracleContract contract, Op op, long now) throws SQLException {
    ObjectNode verdict = JSON.createObjectNode().put("opId", op.opId());
    List<String> known =
        query(
            "SELECT status, reason, code FROM sync_verdicts WHERE user_id = ? AND op_id = ?",
            user,
            op.opId());
    if (!known.isEmpty()) {
      boolean applied = known.get(0).equals("applied");
      verdict.put("status", applied ? "duplicate" : "rejected");
      if (!applied) {
        verdict.put("reason", known.get(1)).put("code", known.get(2));
      }
      if (!contents.get(op.opId()).equals(content(op))) {
        verdict.put("differs", true);
      }
      return verdict;
    }
    if (op.schema() > contract.version) {
      return null;
    }
    contents.put(op.opId(), content(op));
    if (op.at() > now + MAX_AHEAD) {
      return remember(op, verdict, "часы спешат", "CLOCK_AHEAD");
    }
    return lay(contract, op, verdict);
  }

  private ObjectNode lay(OracleContract contract, Op op, ObjectNode verdict) throws SQLException {
    List<String> stored =
        query(
            "SELECT fields::text, marks::text FROM sync_rows WHERE user_id = ? AND row_id = ?",
            user,
            op.rowId());
    ObjectNode fields = tree(stored.isEmpty() ? "{}" : stored.get(0));
    ObjectNode marks = tree(stored.isEmpty() ? "{}" : stored.get(1));
    Map<String, Kind> kinds = new HashMap<>();
    Set<String> lost = new HashSet<>();
    boolean moved = false;
    for (Map.Entry<String, Value> field : op.fields().entrySet()) {
      String name = field.getKey();
      if (!contract.fields.contains(name)) {
        continue;
      }
      int order = marks.has(name) ? order(op, marks.get(name)) : 1;
      if (order > 0) {
        fields.set(name, node(field.getValue()));
        kinds.put(name, field.getValue().kind());
        marks.set(name, JSON.createObjectNode().put("at", op.at()).put("opId", op.opId()));
        moved = true;
      } else if (order < 0) {
        lost.add(name);
      }
    }
    String reason = stored.isEmpty() || moved ? contract.violation(fields, kinds) : null;
    if (reason != null) {
      return remember(op, verdict, reason, "CONTRACT");
    }
    remember(op, verdict, null, null);
    if (!lost.isEmpty()) {
      ArrayNode names = verdict.putArray("lost");
      contract.fields.stream().filter(lost::contains).forEach(names::add);
    }
    if (moved) {
      String seq =
          query("UPDATE sync_heads SET seq = seq + 1 WHERE user_id = ? RETURNING seq::text", user)
              .get(0);
      update(
          """
          INSERT INTO sync_rows (user_id, row_id, fields, marks, seq)
          VALUES (?, ?, ?::jsonb, ?::jsonb, ?::bigint)
          ON CONFLICT (user_id, row_id) DO UPDATE
          SET fields = excluded.fields, marks = excluded.marks, seq = excluded.seq
          """,
          user,
          op.rowId(),
          fields.toString(),
          marks.toString(),
          seq);
    }
    return verdict;
  }

  private ObjectNode remember(Op op, ObjectNode verdict, String reason, String code)
      throws SQLException {
    update(
        """
        INSERT INTO sync_verdicts (user_id, op_id, status, reason, code, fingerprint)
        VALUES (?, ?, ?, ?, ?, 0)
        ON CONFLICT (user_id, op_id) DO NOTHING
        """,
        user,
        op.opId(),
        reason == null ? "applied" : "rejected",
        reason,
        code);
    verdict.put("status", reason == null ? "applied" : "rejected");
    return reason == null ? verdict : verdict.put("reason", reason).put("code", code);
  }

  private ArrayNode entries(String rowId) throws SQLException {
    ArrayNode entries = JSON.createArrayNode();
    List<String> row =
        query(
            "SELECT fields::text, marks::text, seq::text FROM sync_rows"
                + " WHERE user_id = ? AND row_id = ?",
            user,
            rowId);
    if (row.isEmpty()) {
      return entries;
    }
    ObjectNode fields = tree(row.get(0));
    Map<List<String>, ObjectNode> byMark = new LinkedHashMap<>();
    tree(row.get(1))
        .properties()
        .forEach(
            mark -> {
              String opId = mark.getValue().get("opId").textValue();
              long at = mark.getValue().get("at").longValue();
              ObjectNode entry =
                  byMark.computeIfAbsent(
                      List.of(String.format("%020d", at), opId),
                      key -> {
                        ObjectNode made = JSON.createObjectNode();
                        made.put("opId", opId).put("rowId", rowId).put("at", at);
                        made.put("seq", Long.parseLong(row.get(2))).putObject("fields");
                        return made;
                      });
              ((ObjectNode) entry.get("fields")).set(mark.getKey(), fields.get(mark.getKey()));
            });
    byMark.entrySet().stream()
        .sorted(
            (a, b) -> {
              int byTime = a.getKey().get(0).compareTo(b.getKey().get(0));
              return byTime != 0 ? byTime : a.getKey().get(1).compareTo(b.getKey().get(1));
            })
        .forEach(entry -> entries.add(entry.getValue()));
    return entries;
  }

  /** By time, then by name in UTF-16 order. */
  private static int order(Op op, JsonNode mark) {
    int byTime = Long.compare(op.at(), mark.get("at").longValue());
    return byTime != 0 ? byTime : op.opId().compareTo(mark.get("opId").textValue());
  }

  private static JsonNode node(Value value) {
    return switch (value.kind()) {
      case TEXT -> JSON.getNodeFactory().textNode((String) value.meaning());
      case NUMBER -> JSON.getNodeFactory().numberNode(plain((BigDecimal) value.meaning()));
      case BOOL -> JSON.getNodeFactory().booleanNode((Boolean) value.meaning());
      default -> JSON.getNodeFactory().nullNode();
    };
  }

  private static BigDecimal plain(BigDecimal number) {
    return new BigDecimal(number.toPlainString());
  }

  /** What an operation says, number spelling and field order aside. */
  private static String content(Op op) {
    Map<String, String> fields = new TreeMap<>();
    op.fields()
        .forEach(
            (name, value) -> {
              Object meaning = value.meaning();
              if (meaning instanceof BigDecimal number) {
                meaning = number.stripTrailingZeros();
              } else if (meaning == null) {
                meaning = value.json();
              }
              fields.put(name, value.kind() + " " + meaning);
            });
    return op.rowId() + " " + op.at() + " " + fields;
  }

  private static ObjectNode tree(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> query(String sql, String... arguments) throws SQLException {
    try (PreparedStatement statement = prepared(sql, arguments);
        ResultSet result = statement.executeQuery()) {
      List<String> row = new java.util.ArrayList<>();
      if (result.next()) {
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
      }
      return row;
    }
  }

  private void update(String sql, String... arguments) throws SQLException {
    try (PreparedStatement statement = prepared(sql, arguments)) {
      statement.executeUpdate();
    }
  }

  private PreparedStatement prepared(String sql, String... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setString(i + 1, arguments[i]);
    }
    return statement;
  }
}
