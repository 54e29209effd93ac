package dev.steadfast.core;

import static dev.steadfast.core.Ops.fields;
import static dev.steadfast.core.Ops.op;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgingTest {
  private static final int MAX_ROW_BYTES = 1 << 18;
  private static final long LATEST = 1_000_000;

  private final Map<String, Remembered> memory = new HashMap<>();
  private final Map<String, Row> rows = new HashMap<>();
  private long seq;

  private List<Verdict> push(Contract contract, Operation... batch) {
    Judging.After after = judge(contract, batch);
    memory.putAll(after.news());
    rows.putAll(after.rows());
    seq = after.seq();
    return after.verdicts();
  }

  private Judging.After judge(Contract contract, Operation... batch) {
    return Judging.judge(
        List.of(batch),
        new Judging.Before(seq, memory, rows),
        new Judging.Rules(contract, LATEST, MAX_ROW_BYTES));
  }

  private List<Verdict> push(Operation... batch) {
    return push(DiaryRules.STRICT, batch);
  }

  private static Operation whole(String opId, String rowId, long at) {
    return op(opId, rowId, at, "exercise", "жим", "weightKg", 80, "reps", 5);
  }

  private static String words(Verdict verdict) {
    return verdict.status().word()
        + (verdict.refusal() == null
            ? ""
            : " " + verdict.refusal().code() + " · " + verdict.refusal().reason());
  }

  @Test
  void aRepeatOfAnAppliedOperationIsADuplicateAndTouchesNothing() {
    push(whole("A:1", "r", 1));
    Judging.After again = judge(DiaryRules.STRICT, whole("A:1", "r", 1));
    assertThat(again.verdicts()).extracting(JudgingTest::words).containsExactly("duplicate");
    assertThat(again.changed()).isEmpty();
    assertThat(again.news()).isEmpty();
    assertThat(again.seq()).isEqualTo(1);
  }

  @Test
  void aRejectedOperationStaysRejectedWithItsReasonAfterTheRuleIsSoftened() {
    Operation operation = op("B:1", "B-1", 1, "exercise", "присед", "weightKg", 100, "reps", 150);
    String first = words(push(operation).get(0));
    assertThat(first).isEqualTo("rejected CONTRACT · повторов больше сотни");
    assertThat(words(push(DiaryRules.RELAXED, operation).get(0))).isEqualTo(first);
    assertThat(rows).isEmpty();
    assertThat(seq).isZero();
  }

  @Test
  void aNameTwiceInOneBatchIsJudgedOnce() {
    assertThat(push(whole("A:1", "r", 1), whole("A:1", "r", 1)))
        .extracting(JudgingTest::words)
        .containsExactly("applied", "duplicate");
    assertThat(seq).isEqualTo(1);
  }

  @Test
  void aRepeatWithAnotherContentIsToldThatItDiffers() {
    push(whole("A:1", "r", 1));
    List<Verdict> again = push(whole("A:1", "r", 2), whole("A:1", "r", 1));
    assertThat(again).extracting(Verdict::differs).containsExactly(true, false);
    assertThat(again).extracting(JudgingTest::words).containsExactly("duplicate", "duplicate");
    assertThat(rows.get("r").marks().get("reps").at()).isEqualTo(1);
  }

  @Test
  void equalTimesAreDecidedByTheNameByCodeUnit() {
    push(whole("Z:1", "r", 1), op("a:1", "r", 5, "reps", 1), op("B:1", "r", 5, "reps", 2));
    assertThat(rows.get("r").fields())
        .isEqualTo(fields("exercise", "жим", "weightKg", 80, "reps", 1));
  }

  @Test
  void aBadValueThatLosesItsFieldIsNeverLookedAt() {
    push(whole("A:1", "r", 5));
    Verdict verdict =
        push(op("A:2", "r", 3, "reps", FieldValue.Unusable.NULL, "weightKg", "много")).get(0);
    assertThat(words(verdict)).isEqualTo("applied");
    assertThat(verdict.lost()).containsExactly("weightKg", "reps");
    assertThat(seq).isEqualTo(1);
  }

  @Test
  void aBadValueThatWinsRejectsItsOperationAndNotItsNeighbours() {
    assertThat(
            push(
                whole("A:1", "r", 1),
                op("A:2", "r", 2, "reps", FieldValue.Unusable.REPEATED),
                op("A:3", "r", 3, "reps", 7)))
        .extracting(verdict -> verdict.status().word())
        .containsExactly("applied", "rejected", "applied");
    assertThat(rows.get("r").marks().get("reps")).isEqualTo(new Mark(3, "A:3"));
  }

  @Test
  void theWholeRowIsCheckedAndNotTheOperation() {
    assertThat(push(op("A:3", "A-2", 6, "weightKg", 60)))
        .extracting(JudgingTest::words)
        .containsExactly("rejected CONTRACT · нет полей: exercise, reps");
  }

  @Test
  void fieldsThatTheContractDoesNotNameAreDropped() {
    push(op("A:1", "r", 1, "exercise", "жим", "weightKg", 80, "reps", 5, "mood", "good"));
    assertThat(rows.get("r").fields()).doesNotContainKey("mood");
    assertThat(rows.get("r").marks()).doesNotContainKey("mood");
  }

  @Test
  void anOlderPodKeepsTheFieldsThatANewerOneWrote() {
    DiaryRules newer = new DiaryRules(2, List.of("exercise", "weightKg", "reps", "note"), 100);
    push(newer, op(2, "A:1", "r", 1, "exercise", "a", "weightKg", 1, "reps", 5, "note", "hi"));
    push(op("A:2", "r", 2, "reps", 6));
    assertThat(rows.get("r").fields())
        .isEqualTo(fields("exercise", "a", "weightKg", 1, "reps", 6, "note", "hi"));
    assertThat(rows.get("r").marks().get("note")).isEqualTo(new Mark(1, "A:1"));
  }

  @Test
  void anOperationOfANewerSchemaEndsTheBatch() {
    Judging.After after =
        judge(DiaryRules.STRICT, whole("A:1", "r", 1), op(2, "A:2", "r", 2), whole("A:3", "r", 3));
    assertThat(after.ahead()).isTrue();
    assertThat(after.verdicts()).hasSize(1);
    assertThat(after.news()).containsOnlyKeys("A:1");
  }

  @Test
  void aKnownOperationOfANewerSchemaHasItsVerdictAndTheBatchGoesOn() {
    DiaryRules newer = new DiaryRules(2, DiaryRules.STRICT.fields(), 100);
    Operation ahead = op(2, "A:1", "r", 1, "exercise", "a", "weightKg", 1, "reps", 5);
    push(newer, ahead);
    assertThat(push(ahead, op("A:2", "r", 2, "reps", 6)))
        .extracting(JudgingTest::words)
        .containsExactly("duplicate", "applied");
  }

  @Test
  void anOperationFromTheFutureIsRejectedAndTheLastMomentIsNot() {
    assertThat(push(whole("A:1", "r", LATEST), whole("A:2", "s", LATEST + 1)))
        .extracting(JudgingTest::words)
        .containsExactly("applied", "rejected CLOCK_AHEAD · часы устройства спешат");
  }

  @Test
  void anEditOfATombstoneDoesNotResurrectIt() {
    push(whole("A:1", "r", 1), op("A:2", "r", 2, "deleted", true));
    push(op("A:3", "r", 3, "reps", 9), whole("A:4", "r", 4));
    assertThat(rows.get("r").fields().get("deleted")).isEqualTo(FieldValue.Bool.TRUE);
    push(op("A:5", "r", 1, "deleted", false));
    assertThat(rows.get("r").fields().get("deleted")).isEqualTo(FieldValue.Bool.TRUE);
    push(op("A:6", "r", 5, "deleted", false));
    assertThat(rows.get("r").fields().get("deleted")).isEqualTo(FieldValue.Bool.FALSE);
  }

  @Test
  void aRowThatATightenedRuleForbidsCanBeDeletedButNotUndeleted() {
    push(DiaryRules.RELAXED, op("A:1", "r", 1, "exercise", "a", "weightKg", 1, "reps", 500));
    assertThat(push(op("A:2", "r", 2, "deleted", true), op("A:3", "r", 3, "deleted", false)))
        .extracting(JudgingTest::words)
        .containsExactly("applied", "rejected CONTRACT · повторов больше сотни");
  }

  @Test
  void aRowOverItsLimitIsRefusedByTheByte() {
    Operation insert = whole("A:1", "r", 1);
    push(insert);
    long size = RowSize.of(rows.get("r"));
    // The new mark is as long as the old one: the row grows by the text alone.
    String fits = "ж" + "x".repeat((int) (MAX_ROW_BYTES - size + "жим".length() * 2 - 2));
    assertThat(push(op("A:2", "r", 2, "exercise", fits)))
        .extracting(JudgingTest::words)
        .containsExactly("applied");
    assertThat(RowSize.of(rows.get("r"))).isEqualTo(MAX_ROW_BYTES);
    assertThat(push(op("A:3", "r", 3, "exercise", fits + "x")))
        .extracting(JudgingTest::words)
        .containsExactly("rejected ROW_TOO_LARGE · запись слишком велика");
    assertThat(push(op("A:4", "r", 4, "deleted", true), op("A:5", "r", 5, "deleted", false)))
        .extracting(JudgingTest::words)
        .containsExactly("applied", "applied");
    assertThat(push(op("A:6", "r", 6, "deleted", true, "exercise", fits + "x")))
        .extracting(JudgingTest::words)
        .containsExactly("rejected ROW_TOO_LARGE · запись слишком велика");
  }

  @Test
  void nothingGivenIsChanged() {
    Judging.Before before = new Judging.Before(0, Map.of(), Map.of());
    Operation insert = whole("A:1", "r", 1);
    Judging.judge(List.of(insert), before, new Judging.Rules(DiaryRules.STRICT, LATEST, 1 << 18));
    assertThat(before.rows()).isEmpty();
    assertThat(insert.fields()).hasSize(3);
  }
}
