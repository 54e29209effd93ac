package dev.steadfast.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.core.Contract;
import dev.steadfast.core.DiaryRules;
import dev.steadfast.core.Merge;
import dev.steadfast.core.Operation;
import dev.steadfast.core.Ops;
import dev.steadfast.core.Row;
import dev.steadfast.core.RowSize;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowJsonTest {
  private static final Contract CONTRACT = DiaryRules.STRICT;
  private static final String[] PIECES = {
    "a",
    "ж",
    "\u20ac",
    "\uD83D\uDE00",
    "\"",
    "\\",
    "/",
    "\b",
    "\t",
    "\n",
    "\f",
    "\r",
    "\u0001",
    "\u007f"
  };

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static Row row(Random random) {
    Object number = List.of("5", "80.50", "-0.001", "123456789.125").get(random.nextInt(4));
    Operation operation =
        Ops.op(
            "A:" + text(random),
            "r",
            random.nextInt(1000),
            "exercise",
            text(random),
            "weightKg",
            new java.math.BigDecimal((String) number),
            "deleted",
            random.nextBoolean());
    return Merge.of(Row.ABSENT, operation, CONTRACT).row();
  }

  @Test
  void aRowReadBackIsTheRow() {
    Random random = new Random(11);
    for (int i = 0; i < 2_000; i++) {
      Row row = row(random);
      assertThat(RowJson.read(RowJson.fields(row), RowJson.marks(row), 0)).isEqualTo(row);
    }
  }

  @Test
  void theSizeOfARowIsThatOfItsJson() {
    Random random = new Random(12);
    for (int i = 0; i < 2_000; i++) {
      Row row = row(random);
      String json = RowJson.fields(row) + RowJson.marks(row);
      assertThat(RowSize.of(row)).isEqualTo(json.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void whatSomebodyWroteByHandIsCarriedAlong() {
    String fields = "{\"note\":[1,{\"a\":null}],\"other\":null,\"reps\":5}";
    assertThat(RowJson.fields(RowJson.read(fields, "{}", 1))).isEqualTo(fields);
  }
}
