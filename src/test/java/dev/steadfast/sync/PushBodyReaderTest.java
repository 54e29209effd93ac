package dev.steadfast.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.steadfast.core.DiaryRules;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.FieldValue.Unusable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushBodyReaderTest {
  private static final String OP = "{\"opId\":\"A:1\",\"rowId\":\"r\",\"at\":1,\"fields\":{}}";
  private static final String NEWER =
      "{\"opId\":\"A:9\",\"rowId\":\"r\",\"at\":1,\"fields\":{},\"schema\":2}";

  private static PushBody read(String json) {
    return PushBodyReader.read(json.getBytes(StandardCharsets.UTF_8), DiaryRules.STRICT);
  }

  private static String batch(String... operations) {
    return "{\"batch\":[" + String.join(",", operations) + "]}";
  }

  private static String with(String key, String value) {
    String member = "\"" + key + "\":" + value;
    return switch (key) {
      case "opId" -> OP.replace("\"opId\":\"A:1\"", member);
      case "rowId" -> OP.replace("\"rowId\":\"r\"", member);
      case "at" -> OP.replace("\"at\":1", member);
      case "fields" -> OP.replace("\"fields\":{}", member);
      default -> OP.replace("{\"opId\"", "{" + member + ",\"opId\"");
    };
  }

  static Stream<Arguments> malformed() {
    String long201 = "\"" + "x".repeat(201) + "\"";
    return Stream.of(
        arguments("", ""),
        arguments(" ", ""),
        arguments("null", ""),
        arguments("[]", ""),
        arguments("\"batch\"", ""),
        arguments("{", ""),
        arguments("{\"batch\":[}", ""),
        arguments("{\"batch\":[]", ""),
        arguments("{\"batch\":[],}", ""),
        arguments("{\"batch\":[]} x", ""),
        arguments("{\"batch\":[]}{}", ""),
        arguments("{'batch':[]}", ""),
        arguments("{\"batch\":[NaN]}", ""),
        arguments("{\"batch\":[/**/]}", ""),
        arguments("{}", "/batch"),
        arguments("{\"batch\":null}", "/batch"),
        arguments("{\"batch\":{}}", "/batch"),
        arguments("{\"batch\":\"[]\"}", "/batch"),
        arguments("{\"batch\":[],\"batch\":[]}", ""),
        arguments("{\"x\":1,\"x\":1,\"batch\":[]}", ""),
        arguments("[".repeat(5_000), ""),
        arguments("[".repeat(5_000) + "]".repeat(5_000), ""),
        arguments("[".repeat(2_000_000), ""),
        arguments("{\"batch\":" + "[".repeat(200_000) + "]".repeat(200_000) + "}", ""),
        arguments("{\"batch\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}", "/batch/0"),
        arguments(batch("1"), "/batch/0"),
        arguments(batch("null"), "/batch/0"),
        arguments(batch(OP, "[]"), "/batch/1"),
        arguments(batch(OP, OP, "\"A:1\""), "/batch/2"),
        arguments(batch("{}"), "/batch/0/opId"),
        arguments(batch(with("opId", "1")), "/batch/0/opId"),
        arguments(batch(with("opId", "null")), "/batch/0/opId"),
        arguments(batch(with("opId", "true")), "/batch/0/opId"),
        arguments(batch(with("opId", "[\"A:1\"]")), "/batch/0/opId"),
        arguments(batch(with("opId", "\"\"")), "/batch/0/opId"),
        arguments(batch(with("opId", long201)), "/batch/0/opId"),
        arguments(batch(with("opId", "\"a\\u0000\"")), "/batch/0/opId"),
        arguments(batch(with("opId", "\"a\\nb\"")), "/batch/0/opId"),
        arguments(batch(with("opId", "\"a\\u0085\"")), "/batch/0/opId"),
        arguments(batch(with("opId", "\"\\ud800\"")), "/batch/0/opId"),
        arguments(batch(with("opId", "\"\\udc00\\ud800\"")), "/batch/0/opId"),
        arguments(batch(with("rowId", "5")), "/batch/0/rowId"),
        arguments(batch(with("rowId", "\"\"")), "/batch/0/rowId"),
        arguments(batch(with("rowId", long201)), "/batch/0/rowId"),
        arguments(batch(with("rowId", "\"\\u007f\"")), "/batch/0/rowId"),
        arguments(batch(with("at", "\"10\"")), "/batch/0/at"),
        arguments(batch(with("at", "1.0")), "/batch/0/at"),
        arguments(batch(with("at", "1.5")), "/batch/0/at"),
        arguments(batch(with("at", "1e3")), "/batch/0/at"),
        arguments(batch(with("at", "true")), "/batch/0/at"),
        arguments(batch(with("at", "null")), "/batch/0/at"),
        arguments(batch(with("at", "-1")), "/batch/0/at"),
        arguments(batch(with("at", "9007199254740992")), "/batch/0/at"),
        arguments(batch(with("at", "1" + "0".repeat(400))), "/batch/0/at"),
        arguments(batch(with("fields", "null")), "/batch/0/fields"),
        arguments(batch(with("fields", "[]")), "/batch/0/fields"),
        arguments(batch(with("fields", "\"{}\"")), "/batch/0/fields"),
        arguments(batch(with("schema", "\"1\"")), "/batch/0/schema"),
        arguments(batch(with("schema", "1.0")), "/batch/0/schema"),
        arguments(batch(with("schema", "-1")), "/batch/0/schema"),
        arguments(batch(with("schema", "null")), "/batch/0/schema"),
        arguments(batch(with("schema", "true")), "/batch/0/schema"),
        arguments(batch(OP.replace("\"at\":1", "\"at\":1,\"at\":1")), "/batch/0"),
        arguments(batch(OP.replace("\"at\":1", "\"at\":1,\"y\":1,\"y\":2")), "/batch/0"),
        arguments(batch(OP.replace(",\"fields\":{}", "")), "/batch/0/fields"),
        arguments(batch(OP.replace("\"at\":1,", "")), "/batch/0/at"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedBodyIsRefusedWithThePlace(String body, String pointer) {
    MalformedBodyException refused =
        catchThrowableOfType(MalformedBodyException.class, () -> read(body));
    assertThat(refused).isNotNull();
    assertThat(refused.pointer()).isEqualTo(pointer);
    assertThat(refused.getMessage()).isNotBlank().hasSizeLessThan(200);
  }

  /** Latin-1, a byte that UTF-8 never has, an overlong NUL, a surrogate, and beyond U+10FFFF. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00e9",
        "\u00ff",
        "\u00c0\u0080",
        "\u00ed\u00a0\u0080",
        "\u00f5\u0080\u0080\u0080"
      })
  void whatIsNoUtf8IsRefusedAndNotReplaced(String bytes) {
    for (String place : List.of("A:1", "1}", "batch")) {
      String json = batch(with("fields", "{\"exercise\":1}").replace("1}", "\"1}\"}"));
      byte[] body = json.replace(place, bytes).getBytes(StandardCharsets.ISO_8859_1);
      MalformedBodyException refused =
          catchThrowableOfType(
              MalformedBodyException.class, () -> PushBodyReader.read(body, DiaryRules.STRICT));
      assertThat(refused).as(place).isNotNull().hasMessageContaining("UTF-8");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE"})
  void otherEncodingsAreRefused(String charset) throws Exception {
    byte[] body = batch(OP).getBytes(charset);
    assertThat(
            catchThrowableOfType(
                MalformedBodyException.class, () -> PushBodyReader.read(body, DiaryRules.STRICT)))
        .isNotNull();
  }

  static Stream<Arguments> values() {
    return Stream.of(
        arguments("null", Unusable.NULL),
        arguments("[]", Unusable.ARRAY),
        arguments("[".repeat(5_000) + "]".repeat(5_000), Unusable.ARRAY),
        arguments("{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000), Unusable.OBJECT),
        arguments("\"a\\u0000b\"", Unusable.UNSTORABLE_TEXT),
        arguments("\"\\ud800\"", Unusable.UNSTORABLE_TEXT),
        arguments("\"\\udc00\"", Unusable.UNSTORABLE_TEXT),
        arguments("\"\\ud83d\\ude00\"", new FieldValue.Text("\uD83D\uDE00")),
        arguments("1" + "0".repeat(400), Unusable.NUMBER_OUT_OF_RANGE),
        arguments("1e400", Unusable.NUMBER_OUT_OF_RANGE),
        arguments("1e131072", Unusable.NUMBER_OUT_OF_RANGE),
        arguments("0." + "0".repeat(16_384), Unusable.NUMBER_OUT_OF_RANGE),
        arguments("true", FieldValue.Bool.TRUE),
        arguments("5,\"reps\":5", Unusable.REPEATED),
        arguments("5,\"reps\":5,\"reps\":5", Unusable.REPEATED));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueInsideFieldsNeverFailsTheRequest(String value, FieldValue expected) {
    PushBody body = read(batch(with("fields", "{\"reps\":" + value + "}"), OP));
    assertThat(body.operations()).hasSize(2);
    assertThat(body.operations().get(0).fields()).containsOnlyKeys("reps");
    assertThat(body.operations().get(0).fields().get("reps")).isEqualTo(expected);
  }

  @Test
  void aNameOfFiveKilobytesIsDroppedAndCounts() {
    String name = "n".repeat(5_000);
    PushBody body =
        read(batch(with("fields", "{\"" + name + "\":1}"), with("fields", "{\"" + name + "\":2}")));
    assertThat(body.operations()).allMatch(operation -> operation.fields().isEmpty());
    assertThat(body.operations().get(0).fingerprint())
        .isNotEqualTo(body.operations().get(1).fingerprint());
  }

  @Test
  void unknownKeysOfTheEnvelopeAreIgnored() {
    PushBody body = read("{\"v\":[{}],\"batch\":[" + with("device", "{\"x\":[1]}") + "]}");
    assertThat(body.operations()).hasSize(1);
    assertThat(body.count()).isEqualTo(1);
  }

  @Test
  void fromTheThousandAndFirstOnOperationsAreCountedAndNotLookedAt() {
    String[] operations = new String[1_200];
    java.util.Arrays.fill(operations, 0, 1_000, OP);
    java.util.Arrays.fill(operations, 1_000, 1_200, "17");
    PushBody body = read(batch(operations));
    assertThat(body.operations()).hasSize(1_000);
    assertThat(body.count()).isEqualTo(1_200);
    assertThat(body.end()).isEqualTo(PushBody.End.COMPLETE);
  }

  @Test
  void whatFollowsANewerSchemaMattersOnlyIfJudgingGetsThere() {
    PushBody body = read(batch(OP, NEWER, "17", OP));
    assertThat(body.operations()).hasSize(2);
    assertThat(body.count()).isEqualTo(4);
    assertThat(body.end()).isEqualTo(PushBody.End.MALFORMED);
    assertThat(body.malformed().pointer()).isEqualTo("/batch/2");
  }

  @Test
  void anOperationOfANewerSchemaMayHaveAnotherShape() {
    PushBody body = read(batch(OP, "{\"schema\":2,\"edits\":[[{}]],\"opId\":[[1]]}", OP));
    assertThat(body.operations()).hasSize(1);
    assertThat(body.count()).isEqualTo(3);
    assertThat(body.end()).isEqualTo(PushBody.End.AHEAD);
  }

  @Test
  void theGreatestTimeAndTheLongestNamesAreAccepted() {
    String name = "\"" + "\\ud83d\\ude00".repeat(100) + "\"";
    PushBody body =
        read(batch(with("at", "9007199254740991"), with("opId", name), with("rowId", name)));
    assertThat(body.operations()).hasSize(3);
  }

  static Stream<Arguments> golden() {
    return Stream.of(
        arguments("{}", "row", "0"),
        arguments("{\"exercise\":\"жим\",\"weightKg\":80,\"reps\":5}", "A-1", "1757577000123"),
        arguments("{\"weightKg\":80.50,\"b\":1e300,\"c\":-0.001,\"d\":true,\"e\":false}", "r", "1"),
        arguments(
            "{\"n\":null,\"a\":[1,[2,{\"z\":1,\"y\":\"\"}],{}],\"o\":{\"b\":1,\"a\":2}}", "r", "2"),
        arguments("{\"long\":\"" + "ж".repeat(300) + "\",\"\\ud800\":\"\\u0000\"}", "r", "3"),
        arguments("{\"x\":1e99999999999999999999,\"x\":2}", "r", "4"));
  }

  @Test
  void theFingerprintIsFrozen() {
    assertThat(
            golden()
                .map(Arguments::get)
                .map(row -> fingerprint((String) row[0], (String) row[1], (String) row[2])))
        .containsExactly(GOLDEN);
  }

  /** Never change these: every repeat in the world would look different. */
  private static final Long[] GOLDEN = {
    -7252207782060248040L,
    3292284137782793574L,
    6331203010265894359L,
    -4554742723622625708L,
    -7134166478429550346L,
    -5457313726320508300L
  };

  private static long fingerprint(String fields, String rowId, String at) {
    String operation =
        with("fields", fields).replace("\"rowId\":\"r\"", "\"rowId\":\"" + rowId + "\"");
    return read(batch(operation.replace("\"at\":1", "\"at\":" + at)))
        .operations()
        .get(0)
        .fingerprint();
  }

  static Stream<Arguments> sameContent() {
    return Stream.of(
        arguments("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
        arguments("{\"a\":1}", "{\"a\":1.0}"),
        arguments("{\"a\":100}", "{\"a\":1e2}"),
        arguments("{\"a\":0}", "{\"a\":-0.00e7}"),
        arguments("{\"a\":\"ж\"}", "{\"a\":\"\\u0436\"}"),
        arguments("{\"a\":{\"x\":1,\"y\":[2]}}", "{ \"a\" : { \"y\" : [ 2.0 ] , \"x\" : 1 } }"));
  }

  @ParameterizedTest
  @MethodSource("sameContent")
  void anotherSpellingIsTheSameContent(String one, String other) {
    assertThat(fingerprint(one, "r", "1")).isEqualTo(fingerprint(other, "r", "1"));
  }

  static Stream<Arguments> otherContent() {
    return Stream.of(
        arguments("{\"a\":1}", "{\"a\":\"1\"}"),
        arguments("{\"a\":1}", "{\"b\":1}"),
        arguments("{\"a\":1}", "{\"a\":1,\"b\":1}"),
        arguments("{\"a\":1}", "{\"a\":10}"),
        arguments("{\"a\":1}", "{\"a\":-1}"),
        arguments("{\"a\":true}", "{\"a\":false}"),
        arguments("{\"a\":null}", "{\"a\":false}"),
        arguments("{\"a\":[]}", "{\"a\":{}}"),
        arguments("{\"a\":[[],[]]}", "{\"a\":[[[]]]}"),
        arguments("{\"a\":[1,2]}", "{\"a\":[2,1]}"),
        arguments("{\"a\":\"xy\",\"b\":\"\"}", "{\"a\":\"x\",\"b\":\"y\"}"),
        arguments("{\"x\":1,\"x\":2}", "{\"x\":2,\"x\":1}"));
  }

  @ParameterizedTest
  @MethodSource("otherContent")
  void anotherContentIsSeen(String one, String other) {
    assertThat(fingerprint(one, "r", "1")).isNotEqualTo(fingerprint(other, "r", "1"));
  }

  @Test
  void rowAndTimeArePartOfTheContentAndSchemaIsNot() {
    assertThat(fingerprint("{}", "r", "1")).isNotEqualTo(fingerprint("{}", "s", "1"));
    assertThat(fingerprint("{}", "r", "1")).isNotEqualTo(fingerprint("{}", "r", "2"));
    assertThat(read(batch(with("schema", "1"))).operations().get(0).fingerprint())
        .isEqualTo(read(batch(OP)).operations().get(0).fingerprint());
  }
}
