package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.steadfast.core.Contract;
import dev.steadfast.database.StorableText;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Checks a row contract before anything is judged by it: first against the meta-schema of JSON
 * Schema 2020-12, then what a meta-schema cannot know.
 */
final class ContractCheck {
  private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
  private static final Set<String> TYPES = Set.of("string", "number", "integer", "boolean");
  private static final int MAX_FIELDS = 200;
  private static final int MAX_FIELD_NAME = 200;

  /** A field whose rule is misspelt would go unchecked without a word. */
  private static final Set<String> KEYWORDS_OF_A_FIELD =
      Set.of(
          "type",
          "enum",
          "const",
          "minLength",
          "maxLength",
          "pattern",
          "format",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "multipleOf",
          "allOf",
          "anyOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else",
          "$ref",
          "title",
          "description",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly",
          "$comment",
          "errorMessage");

  private final ContractFile file;

  private ContractCheck(ContractFile file) {
    this.file = file;
  }

  static void check(ContractFile file) {
    ContractCheck check = new ContractCheck(file);
    check.dialect();
    Schemas.walk(file.root(), "", check::references);
    check.metaSchema();
    Schemas.walk(file.root(), "", check::multiples);
    check.version();
    check.fields();
    check.required();
    Schemas.walk(file.root(), "", check::words);
  }

  private void dialect() {
    JsonNode dialect = file.root().path("$schema");
    if (!dialect.isMissingNode() && !dialect.asText().equals(DIALECT)) {
      throw file.refuse("/$schema", "only " + DIALECT + " is understood");
    }
  }

  private void metaSchema() {
    SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    List<Error> errors = registry.getSchema(SchemaLocation.of(DIALECT)).validate(file.root());
    if (!errors.isEmpty()) {
      Error first = errors.get(0);
      throw file.refuse(first.getInstanceLocation().toString(), first.getMessage());
    }
  }

  /** No reference leads outside, to nothing, or in a circle. */
  private void references(JsonNode schema, String pointer) {
    for (String keyword : List.of("$dynamicRef", "$id", "$anchor", "$dynamicAnchor")) {
      if (schema.has(keyword)) {
        throw file.refuse(pointer + "/" + keyword, "this keyword is not supported");
      }
    }
    if (schema.path("$ref").isTextual()) {
      follow(schema.get("$ref").textValue(), pointer + "/$ref");
    }
  }

  private void follow(String reference, String pointer) {
    Set<String> seen = new HashSet<>();
    String next = reference;
    while (next != null) {
      if (!next.startsWith("#/")) {
        throw file.refuse(pointer, "a reference must lead to a place in this file: #/…");
      }
      if (!seen.add(next)) {
        throw file.refuse(pointer, "the reference leads back to itself");
      }
      JsonNode target = file.root().at(next.substring(1));
      if (target.isMissingNode()) {
        throw file.refuse(pointer, "the reference leads nowhere");
      }
      next = target.path("$ref").textValue();
    }
  }

  /** Multiples are checked by us, exactly, and only where they stand directly at a field. */
  private void multiples(JsonNode schema, String pointer) {
    if (schema.has("multipleOf") && !pointer.matches("/(properties|\\$defs)/[^/]*")) {
      throw file.refuse(pointer + "/multipleOf", "must stand directly among a field's rules");
    }
  }

  private void version() {
    JsonNode version = file.root().path("version");
    if (!version.isIntegralNumber() || !version.canConvertToLong() || version.longValue() < 0) {
      throw file.refuse(
          "/version", "must be an integer from 0 on: the newest schema of an operation");
    }
  }

  private void fields() {
    JsonNode properties = file.root().path("properties");
    if (!properties.isObject()) {
      throw file.refuse("/properties", "is missing: it names the fields that exist");
    }
    if (properties.size() > MAX_FIELDS) {
      throw file.refuse("/properties", "names more than " + MAX_FIELDS + " fields");
    }
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      String pointer = "/properties/" + Schemas.escaped(property.getKey());
      String fault = StorableText.nameFault(property.getKey(), MAX_FIELD_NAME);
      if (fault != null) {
        throw file.refuse(pointer, "the name of a field " + fault);
      }
      field(property.getKey(), property.getValue(), pointer);
    }
    if (!file.rulesOf(Contract.DELETED).path("type").asText().equals("boolean")) {
      throw file.refuse(
          "/properties/" + Contract.DELETED, "a boolean field of this name must exist");
    }
  }

  private void field(String name, JsonNode property, String pointer) {
    if (!property.isObject()) {
      throw file.refuse(pointer, "must be an object with a type");
    }
    keywords(property, pointer);
    JsonNode rules = file.rulesOf(name);
    keywords(rules, pointer);
    String type = rules.path("type").isTextual() ? rules.path("type").textValue() : "";
    if (!TYPES.contains(type)) {
      throw file.refuse(pointer + "/type", "must be one of string, number, integer, boolean");
    }
    ordered(rules, pointer, "minLength", "maxLength", false);
    ordered(rules, pointer, "minimum", "maximum", false);
    ordered(rules, pointer, "exclusiveMinimum", "maximum", true);
    ordered(rules, pointer, "minimum", "exclusiveMaximum", true);
    ordered(rules, pointer, "exclusiveMinimum", "exclusiveMaximum", true);
    pattern(rules, pointer);
    for (JsonNode value : rules.path("enum")) {
      ofType(value, type, pointer + "/enum");
    }
    if (rules.has("const")) {
      ofType(rules.get("const"), type, pointer + "/const");
    }
  }

  private void keywords(JsonNode rules, String pointer) {
    for (Map.Entry<String, JsonNode> rule : rules.properties()) {
      String keyword = rule.getKey();
      if (!KEYWORDS_OF_A_FIELD.contains(keyword) && !keyword.startsWith("x-")) {
        throw file.refuse(
            pointer + "/" + keyword,
            "no rule of this name applies to a field (a note of your own begins with x-)");
      }
    }
  }

  private void ordered(JsonNode rules, String pointer, String low, String high, boolean strictly) {
    if (rules.has(low) && rules.has(high)) {
      BigDecimal least = rules.get(low).decimalValue();
      int order = least.compareTo(rules.get(high).decimalValue());
      if (order > 0 || strictly && order == 0) {
        throw file.refuse(pointer + "/" + low, "no value can satisfy both it and " + high);
      }
    }
  }

  private void pattern(JsonNode rules, String pointer) {
    try {
      Pattern.compile(rules.path("pattern").asText(""));
    } catch (PatternSyntaxException e) {
      throw file.refuse(pointer + "/pattern", "is no regular expression: " + e.getDescription());
    }
  }

  private void ofType(JsonNode value, String type, String pointer) {
    boolean fits =
        switch (type) {
          case "string" -> value.isTextual();
          case "boolean" -> value.isBoolean();
          case "integer" ->
              value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
          default -> value.isNumber();
        };
    if (!fits) {
      throw file.refuse(pointer, "a value is not of the type " + type);
    }
  }

  private void required() {
    for (JsonNode name : file.root().path("required")) {
      if (!file.root().path("properties").has(name.asText())) {
        throw file.refuse("/required", "names a field that does not exist: " + name.asText());
      }
    }
  }

  /** Words are a text for all rules beside them, or one text a rule. */
  private void words(JsonNode schema, String pointer) {
    JsonNode words = schema.path("errorMessage");
    if (words.isMissingNode() || words.isTextual()) {
      return;
    }
    if (!words.isObject()) {
      throw file.refuse(pointer + "/errorMessage", "must be a text, or an object of texts");
    }
    for (Map.Entry<String, JsonNode> word : words.properties()) {
      if (!word.getValue().isTextual() || word.getValue().textValue().isBlank()) {
        throw file.refuse(pointer + "/errorMessage/" + word.getKey(), "must be a text");
      }
    }
  }
}
