package dev.steadfast.contract;

import static dev.steadfast.core.Ops.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.core.DecimalText;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.FieldValue.Unusable;
import dev.steadfast.core.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RowContractTest {
  private static final RowContract DIARY =
      RowContract.load("classpath:contract/training-diary.json");

  @TempDir private Path directory;

  private RowContract contract(String json) throws IOException {
    Path file = directory.resolve("contract.json");
    Files.writeString(file, json);
    return RowContract.load(file.toString());
  }

  private static String reason(RowContract contract, Map<String, FieldValue> row) {
    return contract.violation(row).map(Refusal::reason).orElse("");
  }

  static Stream<Arguments> diary() {
    FieldValue opaque = new FieldValue.Opaque("[1]");
    return Stream.of(
        arguments(fields("exercise", "жим", "weightKg", 80, "reps", 5), ""),
        arguments(fields("exercise", "жим", "weightKg", 80.5, "reps", 100), ""),
        arguments(
            fields("exercise", "жим", "weightKg", 80, "reps", "5.0E0"),
            "число повторов — не целое число"),
        arguments(fields("weightKg", 60), "нет полей: exercise, reps"),
        arguments(fields(), "нет полей: exercise, weightKg, reps"),
        arguments(fields("reps", 800), "нет полей: exercise, weightKg"),
        arguments(fields("exercise", "жим", "weightKg", 80, "reps", 800), "повторов больше сотни"),
        arguments(fields("exercise", "", "weightKg", 80, "reps", 800), "упражнение не названо"),
        arguments(fields("exercise", 5, "weightKg", 80, "reps", 5), "упражнение — не текст"),
        arguments(fields("exercise", "а", "weightKg", "80", "reps", 500), "вес — не число"),
        arguments(fields("exercise", "а", "weightKg", true, "reps", 5), "вес — не число"),
        arguments(
            fields("exercise", "а", "weightKg", 1, "reps", Unusable.NULL),
            "число повторов — не целое число"),
        arguments(
            fields("exercise", Unusable.ARRAY, "weightKg", 1, "reps", 1), "упражнение — не текст"),
        arguments(
            fields("exercise", Unusable.OBJECT, "weightKg", 1, "reps", 1), "упражнение — не текст"),
        arguments(fields("exercise", opaque, "weightKg", 1, "reps", 1), "упражнение — не текст"),
        arguments(
            fields("exercise", "а", "weightKg", 1, "reps", Unusable.REPEATED),
            "одно поле названо дважды"),
        arguments(
            fields("exercise", Unusable.UNSTORABLE_TEXT, "weightKg", 1, "reps", 1),
            "в тексте есть знаки, которые нельзя сохранить"),
        arguments(
            fields("exercise", "а", "weightKg", Unusable.NUMBER_OUT_OF_RANGE, "reps", 1),
            "слишком длинное или слишком большое число"),
        arguments(
            fields("exercise", "", "weightKg", 1, "reps", Unusable.REPEATED),
            "упражнение не названо"),
        arguments(fields("exercise", "а".repeat(200), "weightKg", 1, "reps", 1), ""),
        arguments(fields("exercise", "\uD83D\uDE00".repeat(200), "weightKg", 1, "reps", 1), ""),
        arguments(
            fields("exercise", "\uD83D\uDE00".repeat(201), "weightKg", 1, "reps", 1),
            "название упражнения длиннее двухсот знаков"),
        arguments(
            fields("exercise", "а", "weightKg", 1, "reps", 1, "deleted", 1),
            "пометка об удалении — не «да» и не «нет»"),
        arguments(fields("exercise", "а", "weightKg", 1, "reps", 1, "deleted", false), ""),
        arguments(fields("deleted", true), ""),
        arguments(fields("deleted", true, "reps", 800, "exercise", ""), ""),
        arguments(fields("deleted", true, "reps", "800"), "число повторов — не целое число"),
        arguments(fields("deleted", true, "reps", Unusable.REPEATED), "одно поле названо дважды"),
        arguments(fields("deleted", false, "reps", 5), "нет полей: exercise, weightKg"),
        arguments(fields("exercise", "а", "weightKg", 1, "reps", 1, "unknown", opaque), ""));
  }

  @ParameterizedTest
  @MethodSource("diary")
  void theDiaryRefusesInItsOwnWords(Map<String, FieldValue> row, String reason) {
    assertThat(reason(DIARY, row)).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "1e64, слишком большое целое число",
    "1e300, слишком большое целое число",
    "-1e64, слишком большое целое число",
    "9007199254740993, слишком большое целое число",
    "9007199254740991, повторов больше сотни",
    "101, повторов больше сотни",
    "100.0, ''",
    "1e2, ''",
    "-9007199254740991, ''",
    "100.5, число повторов — не целое число",
    "1e-300, число повторов — не целое число",
    "1e131072, слишком длинное или слишком большое число"
  })
  void aHugeNumberDoesNotSlipThroughAsRepetitions(String reps, String reason) {
    Map<String, FieldValue> row = fields("exercise", "а", "weightKg", 1);
    row.put("reps", DecimalText.value(reps));
    assertThat(reason(DIARY, row)).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "maximum, 100, 1e64, false",
    "maximum, 100, 100.0, true",
    "maximum, 0.5, 0.51, false",
    "maximum, 1e64, 1e63, true",
    "exclusiveMaximum, 100, 100, false",
    "exclusiveMaximum, 100, 99.999999999999999999999999, true",
    "minimum, -5, -1e64, false",
    "minimum, 0.1, 1e-300, false",
    "minimum, 0.1, 0.1, true",
    "exclusiveMinimum, 0, 1e-300, true",
    "exclusiveMinimum, 0, 0.0, false",
    "multipleOf, 0.1, 0.3, true",
    "multipleOf, 0.1, 0.35, false",
    "multipleOf, 2, 9007199254740993, false",
    "multipleOf, 2.5, 1e300, true",
    "const, 5, 5.0, true",
    "const, 5, 5.1, false"
  })
  void numbersAreComparedAsDecimals(String keyword, String bound, String value, boolean passes)
      throws IOException {
    RowContract contract =
        contract(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},"
                + "\"x\":{\"type\":\"number\",\"%s\":%s}}}".formatted(keyword, bound));
    Map<String, FieldValue> row = Map.of("x", DecimalText.value(value));
    assertThat(reason(contract, row)).isEqualTo(passes ? "" : "x: breaks the rule " + keyword);
  }

  @Test
  void wordsAreTakenVerbatimAndKeptShort() throws IOException {
    RowContract contract =
        contract(
            """
            {"version": 3, "required": ["a"], "properties": {
              "deleted": {"type": "boolean"},
              "a": {"$ref": "#/$defs/name"},
              "b": {"type": "string", "pattern": "^x", "maxLength": 3,
                    "errorMessage": {"maxLength": "it's {too} long\\n%s", "pattern": "ё"}}},
             "$defs": {"name": {"type": "string", "minLength": 2, "errorMessage": "'{0}' bad"}},
             "errorMessage": {"required": "no {0}, it's %s"}}
            """
                .replace("ё", "ё".repeat(900)));
    assertThat(reason(contract, fields("b", "x"))).isEqualTo("no a, it's %s");
    assertThat(reason(contract, fields("a", "x"))).isEqualTo("'{0}' bad");
    assertThat(reason(contract, fields("a", 1))).isEqualTo("'{0}' bad");
    assertThat(reason(contract, fields("a", "ok", "b", "xxxx"))).isEqualTo("it's {too} long %s");
    assertThat(reason(contract, fields("a", "ok", "b", "y"))).isEqualTo("ё".repeat(500));
    assertThat(contract.clockAhead().reason()).isEqualTo("The device's clock is too far ahead.");
    assertThat(contract.version()).isEqualTo(3);
  }

  @Test
  void ofTwoBrokenRulesTheEarlierInTheFileIsTold() throws IOException {
    String fields =
        "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},\"x\":{%s}}}";
    String type = "\"type\":\"string\"";
    String length = "\"maxLength\":1";
    String pattern = "\"pattern\":\"^y\"";
    RowContract one = contract(fields.formatted(String.join(",", type, length, pattern)));
    assertThat(reason(one, fields("x", "zz"))).isEqualTo("x: breaks the rule maxLength");
    RowContract other = contract(fields.formatted(String.join(",", pattern, type, length)));
    assertThat(reason(other, fields("x", "zz"))).isEqualTo("x: breaks the rule pattern");
  }

  @Test
  void rulesOfTheWholeRowComeLast() throws IOException {
    RowContract contract =
        contract(
            """
            {"version": 1, "properties": {"deleted": {"type": "boolean"},
              "a": {"type": "integer"}, "b": {"type": "integer", "maximum": 5}},
             "dependentRequired": {"a": ["b"]},
             "errorMessage": {"dependentRequired": "a needs b"}}
            """);
    assertThat(reason(contract, fields("a", 1))).isEqualTo("a needs b");
    assertThat(reason(contract, fields("a", 1, "b", 6))).isEqualTo("b: breaks the rule maximum");
    assertThat(reason(contract, fields("a", 1, "b", 5))).isEmpty();
  }

  @Test
  void aPatternThatOverflowsTheStackRefusesItsRowAndNotTheRequest() throws IOException {
    RowContract contract =
        contract(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},"
                + "\"x\":{\"type\":\"string\",\"pattern\":\"^(\\\\w| )+$\"}}}");
    assertThat(reason(contract, fields("x", "a b"))).isEmpty();
    assertThat(reason(contract, fields("x", "a".repeat(200_000))))
        .isEqualTo("The entry cannot be checked.");
  }

  @Test
  void noReasonEchoesAValue() throws IOException {
    RowContract contract =
        contract(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},"
                + "\"x\":{\"type\":\"string\",\"enum\":[\"a\"]}}}");
    assertThat(reason(contract, fields("x", "secret"))).doesNotContain("secret").contains("enum");
  }

  @Test
  void aPatternThatWouldLookForYearsGivesUpAndOneThatReadsALongTextDoesNot() throws IOException {
    RowContract contract =
        contract(
            """
            {"version": 1, "type": "object", "properties": {
              "evil": {"type": "string", "pattern": "^.*.*.*.*.*.*=$"},
              "long": {"type": "string", "pattern": "^[a-z ]*$"},
              "deleted": {"type": "boolean"}}}
            """);
    assertThat(reason(contract, fields("evil", "a".repeat(1_000))))
        .isEqualTo("The entry cannot be checked.");
    assertThat(reason(contract, fields("evil", "a".repeat(1_000) + "="))).isEmpty();
    assertThat(reason(contract, fields("long", "a b ".repeat(60_000)))).isEmpty();
  }
}
