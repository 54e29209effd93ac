package dev.steadfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** In whatever order the operations arrive, the row is the same. */
class MergeConvergenceTest {
  /** Prefixes whose order by code unit differs from that by code point and by alphabet. */
  private static final String[] PREFIXES = {"a", "B", "\uD83D\uDE00", "\uFF21"};

  @Test
  void everyShuffleEndsInTheSameRow() {
    long seed = Long.getLong("oracle.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int history = 0; history < 5_000; history++) {
      List<Operation> operations = operations(random);
      Row expected = lay(operations);
      Collections.shuffle(operations, random);
      assertThat(lay(operations)).as("-Doracle.seed=%d", seed).isEqualTo(expected);
    }
  }

  private static List<Operation> operations(Random random) {
    List<Operation> operations = new ArrayList<>();
    int count = 2 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      String opId = PREFIXES[random.nextInt(PREFIXES.length)] + ":" + i;
      List<Object> fields = new ArrayList<>();
      for (String field : DiaryRules.STRICT.fields()) {
        if (random.nextBoolean()) {
          fields.add(field);
          fields.add(random.nextInt(5));
        }
      }
      operations.add(Ops.op(opId, "r", random.nextInt(3), fields.toArray()));
    }
    return operations;
  }

  private static Row lay(List<Operation> operations) {
    Row row = Row.ABSENT;
    for (Operation operation : operations) {
      row = Merge.of(row, operation, DiaryRules.STRICT).row();
    }
    return row;
  }
}
