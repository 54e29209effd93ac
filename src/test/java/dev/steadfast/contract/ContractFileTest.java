package dev.steadfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contract that cannot be used stops the start, and says which file and which place. */
class ContractFileTest {
  @TempDir private Path directory;

  private static Arguments field(String rules, String place) {
    return arguments(
        "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},\"x\":" + rules + "}}",
        place);
  }

  private static Arguments top(String member, String place) {
    return arguments(
        "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"}}," + member + "}",
        place);
  }

  static Stream<Arguments> unusable() {
    return Stream.of(
        arguments("", "JSON object"),
        arguments("[]", "JSON object"),
        arguments("{\n\"version\": 1,,}", "line 2, column"),
        arguments("{\"version\":1,\"version\":2}", "line 1"),
        arguments("{} x", "line 1"),
        arguments("{\"properties\":{}}", "#/version"),
        arguments("{\"version\":\"1\",\"properties\":{}}", "#/version"),
        arguments("{\"version\":1.5,\"properties\":{}}", "#/version"),
        arguments("{\"version\":-1,\"properties\":{}}", "#/version"),
        arguments("{\"version\":99999999999999999999,\"properties\":{}}", "#/version"),
        arguments("{\"version\":1}", "#/properties"),
        arguments("{\"version\":1,\"properties\":{}}", "#/properties/deleted"),
        arguments(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"string\"}}}",
            "#/properties/deleted"),
        top("\"$schema\":\"http://json-schema.org/draft-07/schema#\"", "#/$schema"),
        top("\"$id\":\"https://example.com/x\"", "#/$id"),
        top("\"type\":\"objekt\"", "#/type"),
        top("\"required\":[\"x\"]", "#/required"),
        top("\"required\":\"deleted\"", "#/required"),
        top("\"errorMessage\":{\"required\":1}", "#/errorMessage/required"),
        top("\"errorMessage\":1", "#/errorMessage"),
        field("true", "#/properties/x"),
        field("{}", "#/properties/x/type"),
        field("{\"type\":\"object\"}", "#/properties/x/type"),
        field("{\"type\":\"array\"}", "#/properties/x/type"),
        field("{\"type\":\"null\"}", "#/properties/x/type"),
        field("{\"type\":[\"string\",\"number\"]}", "#/properties/x/type"),
        field("{\"type\":\"string\",\"maximun\":5}", "#/properties/x/maximun"),
        field("{\"type\":\"string\",\"maxLength\":\"5\"}", "#/properties/x/maxLength"),
        field("{\"type\":\"string\",\"minLength\":6,\"maxLength\":5}", "#/properties/x/minLength"),
        field("{\"type\":\"number\",\"minimum\":6,\"maximum\":5}", "#/properties/x/minimum"),
        field(
            "{\"type\":\"number\",\"exclusiveMinimum\":5,\"maximum\":5}",
            "#/properties/x/exclusiveMinimum"),
        field("{\"type\":\"string\",\"pattern\":\"(\"}", "#/properties/x/pattern"),
        field("{\"type\":\"string\",\"enum\":[1]}", "#/properties/x/enum"),
        field("{\"type\":\"integer\",\"const\":1.5}", "#/properties/x/const"),
        field("{\"type\":\"integer\",\"not\":{\"multipleOf\":3}}", "#/properties/x/not/multipleOf"),
        field("{\"$ref\":\"other.json\"}", "#/properties/x/$ref"),
        field("{\"$ref\":\"https://example.com/schema\"}", "#/properties/x/$ref"),
        field("{\"$ref\":\"#/$defs/none\"}", "#/properties/x/$ref"),
        field("{\"$ref\":\"#/properties/x\"}", "#/properties/x/$ref"),
        field("{\"$dynamicRef\":\"#x\"}", "#/properties/x/$dynamicRef"),
        field("{\"type\":\"string\",\"errorMessage\":[\"no\"]}", "#/properties/x/errorMessage"),
        field(
            "{\"type\":\"string\",\"errorMessage\":{\"type\":\"\"}}",
            "#/properties/x/errorMessage/type"),
        top("\"requird\":[\"deleted\"]", "#/requird"),
        top("\"type\":\"string\"", "#/type"),
        top("\"allOf\":[{\"maxLenght\":1}]", "#/allOf/0/maxLenght"),
        top("\"allOf\":[{\"not\":{\"$ref\":\"#/allOf/0\"}}]", "#/allOf/0/not/$ref"),
        top("\"errorMessage\":\"\"", "#/errorMessage"),
        field("{\"type\":\"string\",\"errorMessage\":\" \"}", "#/properties/x/errorMessage"),
        field(
            "{\"type\":\"string\",\"allOf\":[{\"$ref\":\"#/properties/x\"}]}",
            "lead back to themselves"),
        field(
            "{\"type\":\"string\",\"allOf\":[{\"pattern\":\"(\"}]}",
            "#/properties/x/allOf/0/pattern"),
        field("{\"type\":\"string\",\"maximum\":5}", "#/properties/x/maximum"),
        field("{\"type\":\"string\",\"format\":\"date\"}", "#/properties/x/format"),
        field("{\"type\":\"string\",\"enum\":[]}", "#/properties/x/enum"),
        field("{\"$ref\":\"#/x-h\"},\"y\":{\"type\":\"string\"}", "#/properties/x/$ref"),
        field(
            "{\"$ref\":\"#/properties/y\",\"multipleOf\":7},\"y\":{\"type\":\"number\"}",
            "#/properties/x/multipleOf"),
        field(
            "{\"$ref\":\"#/properties/y\",\"type\":\"integer\"},\"y\":{\"type\":\"number\"}",
            "#/properties/x/type"),
        field(
            "{\"type\":\"number\",\"allOf\":[{\"$ref\":\"#/properties/y\"}]},"
                + "\"y\":{\"type\":\"number\",\"multipleOf\":7}",
            "#/properties/x/allOf/0/$ref"),
        arguments(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\",\"const\":false}}}",
            "#/properties/deleted"),
        arguments(
            "{\"version\":1,\"properties\":{\"deleted\":{\"type\":\"boolean\"},\"a\\u0000\":{\"type\":\"string\"}}}",
            "control character"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void itNamesTheFileAndThePlace(String json, String place) throws IOException {
    Path file = directory.resolve("rules.json");
    Files.writeString(file, json);
    assertThatThrownBy(() -> RowContract.load(file.toString()))
        .isInstanceOf(ContractException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("steadfast.contract.location")
        .hasMessageContaining(place);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> RowContract.load(directory.resolve("none.json").toString()))
        .isInstanceOf(ContractException.class)
        .hasMessageContaining("none.json");
    assertThatThrownBy(() -> RowContract.load("classpath:contract/none.json"))
        .isInstanceOf(ContractException.class)
        .hasMessageContaining("no such resource");
  }

  @Test
  void aFieldMayBearTheNameOfAKeyword() throws IOException {
    Path file = directory.resolve("odd.json");
    Files.writeString(
        file,
        """
        {"version": 0, "required": ["$ref"], "properties": {"deleted": {"type": "boolean"},
          "$ref": {"type": "string"}, "errorMessage": {"type": "string", "maxLength": 1},
          "a/b~c": {"type": "integer", "maximum": 1, "errorMessage": {"maximum": "too much"}}}}
        """);
    RowContract contract = RowContract.load(file.toString());
    assertThat(contract.fields()).containsExactly("deleted", "$ref", "errorMessage", "a/b~c");
  }
}
