package dev.steadfast.core;

import static dev.steadfast.core.Ops.fields;
import static dev.steadfast.core.Ops.op;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The seed's batch of six")
class SeedBatchTest {
  private static final List<Operation> BATCH =
      List.of(
          op("A:1", "A-1", 1, "exercise", "жим", "weightKg", 80, "reps", 5),
          op("B:1", "A-1", 5, "weightKg", 90),
          op("A:2", "A-1", 3, "weightKg", 85),
          op("A:3", "A-2", 6, "weightKg", 60),
          op("A:4", "A-1", 7, "reps", 800),
          op("A:5", "A-1", 8, "reps", 8));

  private final Judging.After after =
      Judging.judge(
          BATCH,
          new Judging.Before(0, Map.of(), Map.of()),
          new Judging.Rules(DiaryRules.STRICT, Long.MAX_VALUE, 1 << 18));

  @Test
  void eachOperationGetsTheVerdictOfTheSeed() {
    assertThat(after.verdicts())
        .extracting(
            verdict ->
                verdict.opId()
                    + " "
                    + verdict.status().word()
                    + (verdict.refusal() == null ? "" : " · " + verdict.refusal().reason()))
        .containsExactly(
            "A:1 applied",
            "B:1 applied",
            "A:2 applied",
            "A:3 rejected · нет полей: exercise, reps",
            "A:4 rejected · повторов больше сотни",
            "A:5 applied");
  }

  @Test
  void onlyOperationsThatMovedAMarkTakeANumber() {
    assertThat(after.seq()).isEqualTo(3);
    assertThat(after.rows()).containsOnlyKeys("A-1");
    assertThat(after.rows().get("A-1").seq()).isEqualTo(3);
  }

  @Test
  void theRowHoldsTheNewestEditOfEachField() {
    Row row = after.rows().get("A-1");
    assertThat(row.fields()).isEqualTo(fields("exercise", "жим", "weightKg", 90, "reps", 8));
    assertThat(row.marks())
        .isEqualTo(
            Map.of(
                "exercise", new Mark(1, "A:1"),
                "weightKg", new Mark(5, "B:1"),
                "reps", new Mark(8, "A:5")));
  }

  @Test
  void theEditThatLostItsFieldIsToldSo() {
    assertThat(after.verdicts().get(2).lost()).containsExactly("weightKg");
    assertThat(after.verdicts()).filteredOn(verdict -> !verdict.lost().isEmpty()).hasSize(1);
  }
}
