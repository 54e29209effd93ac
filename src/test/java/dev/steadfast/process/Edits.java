package dev.steadfast.process;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** The random edits of a person with one device. */
final class Edits {
  static final JsonMapper JSON = new JsonMapper();

  private static final int ROWS = 4;

  private final Random random;
  private final boolean newer;
  private int count;

  /**
   * @param newer whether some edits come from a newer version of the application, with a field that
   *     the older contract does not know
   */
  Edits(Random random, boolean newer) {
    this.random = random;
    this.newer = newer;
  }

  /** An edit: now and then older than another one, of a row that is not there, or refused. */
  ObjectNode next() {
    ObjectNode operation = JSON.createObjectNode();
    operation.put("opId", "A:" + ++count).put("rowId", "r" + random.nextInt(ROWS));
    operation.put("at", 1_000 + Math.max(0, count - random.nextInt(4)));
    ObjectNode fields = operation.putObject("fields");
    switch (random.nextInt(8)) {
      case 0, 1, 2 ->
          fields
              .put("exercise", "жим")
              .put("weightKg", 60 + random.nextInt(40))
              .put("reps", reps());
      case 3, 4 -> fields.put("reps", reps());
      case 5 -> fields.put("weightKg", 60 + random.nextInt(40)).put("reps", 5);
      case 6 -> fields.put("exercise", random.nextBoolean() ? "присед" : "тяга");
      default -> fields.put("deleted", random.nextBoolean());
    }
    if (newer && random.nextInt(3) == 0) {
      operation.put("schema", 2);
      fields.put("note", "записка " + count);
    }
    return operation;
  }

  private int reps() {
    return random.nextInt(5) == 0 ? 150 : 1 + random.nextInt(20);
  }
}
