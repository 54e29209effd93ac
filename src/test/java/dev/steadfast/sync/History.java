package dev.steadfast.sync;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random histories of a person's devices, as what they mean and as what goes over the wire. */
final class History {
  /** Names whose order by alphabet differs from that by code unit. */
  private static final String[] DEVICES = {"a", "B", "\uD83D\uDE00", "\uFF21"};

  private static final String[] FIELDS = {
    "exercise", "weightKg", "reps", "deleted", "note", "mood"
  };

  /** What a value is, in the words of the contract. */
  enum Kind {
    TEXT,
    NUMBER,
    BOOL,
    /** null, an array, an object: of no field's type. */
    FOREIGN,
    UNSTORABLE,
    HUGE,
    REPEATED
  }

  /** A value: how it is written, what it is, and what it stands for. */
  record Value(String json, Kind kind, Object meaning) {}

  /** An operation, with its time relative to the database's clock if {@code ahead}. */
  record Op(String opId, String rowId, long at, long schema, Map<String, Value> fields) {

    String json() {
      StringBuilder json = new StringBuilder();
      json.append("{\"opId\":\"").append(opId).append("\",\"rowId\":\"").append(rowId);
      json.append("\",\"at\":").append(at).append(",\"schema\":").append(schema);
      json.append(",\"fields\":{");
      String comma = "";
      for (Map.Entry<String, Value> field : fields.entrySet()) {
        String member = "\"" + field.getKey() + "\":" + field.getValue().json();
        json.append(comma).append(member);
        if (field.getValue().kind() == Kind.REPEATED) {
          json.append(",").append(member);
        }
        comma = ",";
      }
      return json.append("}}").toString();
    }
  }

  /** A push: which contract the pod has, and what is sent. */
  record Push(OracleContract contract, List<Op> batch) {

    String json() {
      return "{\"batch\":[" + String.join(",", batch.stream().map(Op::json).toList()) + "]}";
    }
  }

  private final Random random;
  private final long now;
  private final List<Op> made = new ArrayList<>();
  private int counter;

  History(Random random, long now) {
    this.random = random;
    this.now = now;
  }

  List<Push> pushes() {
    List<Push> pushes = new ArrayList<>();
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      OracleContract[] contracts = OracleContract.values();
      OracleContract contract =
          random.nextInt(3) == 0 ? contracts[random.nextInt(contracts.length)] : contracts[0];
      pushes.add(new Push(contract, batch()));
    }
    return pushes;
  }

  private List<Op> batch() {
    List<Op> batch = new ArrayList<>();
    int size = 1 + random.nextInt(8);
    for (int i = 0; i < size; i++) {
      batch.add(made.isEmpty() || random.nextInt(3) > 0 ? fresh() : again());
    }
    if (random.nextInt(4) == 0) {
      Collections.shuffle(batch, random);
    }
    return batch;
  }

  private Op again() {
    Op op = made.get(random.nextInt(made.size()));
    return random.nextInt(5) > 0
        ? op
        : new Op(op.opId(), rowId(), op.at() + random.nextInt(2), op.schema(), fields());
  }

  private Op fresh() {
    String opId = DEVICES[random.nextInt(DEVICES.length)] + ":" + ++counter;
    long at =
        random.nextInt(12) == 0 ? now + 3L * 86_400_000 + random.nextInt(5) : random.nextInt(6);
    long schema = random.nextInt(15) == 0 ? 2 : random.nextInt(2);
    Op op = new Op(opId, rowId(), at, schema, random.nextInt(3) == 0 ? whole() : fields());
    made.add(op);
    return op;
  }

  private String rowId() {
    return "r" + random.nextInt(3);
  }

  private Map<String, Value> whole() {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("exercise", good("exercise"));
    fields.put("weightKg", good("weightKg"));
    fields.put("reps", good("reps"));
    return fields;
  }

  private Map<String, Value> fields() {
    Map<String, Value> fields = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(List.of(FIELDS));
    Collections.shuffle(names, random);
    for (String name : names.subList(0, random.nextInt(4))) {
      fields.put(name, random.nextInt(8) == 0 ? poison() : good(name));
    }
    return fields;
  }

  private Value good(String field) {
    return switch (field) {
      case "exercise", "note", "mood" -> text(random.nextBoolean() ? "жим" : "\uD83D\uDE00 x");
      case "weightKg" ->
          number(List.of("80", "80.0", "8.25e1", "1e300", "-0").get(random.nextInt(5)));
      case "reps" -> number(List.of("5", "8.0", "100", "800", "1e2").get(random.nextInt(5)));
      default -> bool(random.nextInt(3) > 0);
    };
  }

  private Value poison() {
    return switch (random.nextInt(8)) {
      case 0 -> new Value("null", Kind.FOREIGN, null);
      case 1 -> new Value("[1,{\"a\":[]}]", Kind.FOREIGN, null);
      case 2 -> new Value("\"a\\u0000\"", Kind.UNSTORABLE, null);
      case 3 -> new Value("\"\\ud800\"", Kind.UNSTORABLE, null);
      case 4 -> new Value("1e131072", Kind.HUGE, null);
      case 5 -> new Value("0." + "0".repeat(50), Kind.HUGE, null);
      case 6 -> new Value("5", Kind.REPEATED, null);
      default -> random.nextBoolean() ? text("7") : number("7.5");
    };
  }

  private static Value text(String text) {
    return new Value("\"" + text + "\"", Kind.TEXT, text);
  }

  private static Value number(String token) {
    return new Value(token, Kind.NUMBER, new BigDecimal(token));
  }

  private static Value bool(boolean value) {
    return new Value(String.valueOf(value), Kind.BOOL, value);
  }
}
