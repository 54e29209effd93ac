package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.steadfast.core.Contract;
import dev.steadfast.database.StorableText;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
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

  private static final Set<String> OF_TEXTS = Set.of("minLength", "maxLength", "pattern");
  private static final Set<String> OF_NUMBERS =
      Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf");

  /** Rules of whole rows, in addition to those of a field. */
  private static final Set<String> OF_ROWS =
      Set.of(
          "$schema",
          "$defs",
          "version",
          "properties",
          "required",
          "dependentRequired",
          "dependentSchemas",
          "minProperties",
          "maxProperties",
          "additionalProperties",
          "propertyNames",
          "patternProperties",
          "unevaluatedProperties");

  /**
   * A rule that is misspelt would go unchecked without a word; so would "format", which is a note
   * and no rule in this version of JSON Schema.
   */
  private static final Set<String> OF_ALL =
      Set.of(
          "type",
          "enum",
          "const",
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

  private static final Set<String> NOTES =
      Set.of("$ref", "title", "description", "$comment", "errorMessage");

  private final ContractFile file;

  private ContractCheck(ContractFile file) {
    this.file = file;
  }

  static void check(ContractFile file) {
    ContractCheck check = new ContractCheck(file);
    check.dialect();
    check.metaSchema();
    Schemas.walk(file.root(), "", check::references);
    Schemas.walk(file.root(), "", check::keywords);
    Schemas.walk(file.root(), "", check::pattern);
    check.circles();
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
      if (!next.startsWith("#/$defs/") && !next.startsWith("#/properties/")) {
        throw file.refuse(pointer, "a reference must lead to this file's #/$defs or #/properties");
      }
      if (!seen.add(next)) {
        throw file.refuse(pointer, "the reference leads back to itself");
      }
      JsonNode target = file.root().at(next.substring(1));
      if (!target.isObject()) {
        throw file.refuse(pointer, "the reference leads to no schema");
      }
      next = target.path("$ref").textValue();
    }
  }

  /** A schema that, to check a value, has to check the same value by itself would never end. */
  private void circles() {
    Set<JsonNode> ended = Collections.newSetFromMap(new IdentityHashMap<>());
    Schemas.walk(
        file.root(),
        "",
        (schema, pointer) -> {
          Set<JsonNode> open = Collections.newSetFromMap(new IdentityHashMap<>());
          if (Circles.has(file.root(), schema, open, ended)) {
            throw file.refuse(pointer, "the rules lead back to themselves");
          }
        });
  }

  /** Multiples are checked by us, exactly, and only where they stand directly at a field. */
  private void multiples(JsonNode schema, String pointer) {
    boolean ofField = pointer.matches("/(properties|\\$defs)/[^/]*");
    if (schema.has("multipleOf") && !ofField) {
      throw file.refuse(pointer + "/multipleOf", "must stand directly among a field's rules");
    }
    String reference = schema.path("$ref").textValue();
    if (reference != null && !ofField && file.root().at(reference.substring(1)).has("multipleOf")) {
      throw file.refuse(pointer + "/$ref", "leads to a multipleOf, which only a field may do");
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
    if (!file.root().path("type").asText("object").equals("object")) {
      throw file.refuse("/type", "a row is an object");
    }
    JsonNode deleted = file.rulesOf(Contract.DELETED);
    if (deleted.has("const") || deleted.has("enum")) {
      throw file.refuse("/properties/" + Contract.DELETED, "must allow both true and false");
    }
    if (!deleted.path("type").asText().equals("boolean")) {
      throw file.refuse(
          "/properties/" + Contract.DELETED, "a boolean field of this name must exist");
    }
  }

  private void field(String name, JsonNode property, String pointer) {
    if (!property.isObject()) {
      throw file.refuse(pointer, "must be an object with a type");
    }
    JsonNode rules = file.rulesOf(name);
    String type = rules.path("type").isTextual() ? rules.path("type").textValue() : "";
    if (!TYPES.contains(type)) {
      throw file.refuse(pointer + "/type", "must be one of string, number, integer, boolean");
    }
    ordered(rules, pointer, "minLength", "maxLength", false);
    ordered(rules, pointer, "minimum", "maximum", false);
    ordered(rules, pointer, "exclusiveMinimum", "maximum", true);
    ordered(rules, pointer, "minimum", "exclusiveMaximum", true);
    ordered(rules, pointer, "exclusiveMinimum", "exclusiveMaximum", true);
    for (Map.Entry<String, JsonNode> rule : rules.properties()) {
      boolean strange =
          OF_TEXTS.contains(rule.getKey()) && !type.equals("string")
              || OF_NUMBERS.contains(rule.getKey()) && !type.matches("number|integer");
      if (strange) {
        throw file.refuse(pointer + "/" + rule.getKey(), "is no rule for the type " + type);
      }
    }
    if (rules.path("enum").isArray() && rules.path("enum").isEmpty()) {
      throw file.refuse(pointer + "/enum", "allows no value");
    }
    for (JsonNode value : rules.path("enum")) {
      ofType(value, type, pointer + "/enum");
    }
    if (rules.has("const")) {
      ofType(rules.get("const"), type, pointer + "/const");
    }
  }

  private void keywords(JsonNode schema, String pointer) {
    boolean ofRow = pointer.isEmpty() || !pointer.matches("(.*/)?(properties|\\$defs)/[^/]*.*");
    for (Map.Entry<String, JsonNode> rule : schema.properties()) {
      String keyword = rule.getKey();
      boolean known =
          OF_ALL.contains(keyword)
              || OF_TEXTS.contains(keyword)
              || OF_NUMBERS.contains(keyword)
              || ofRow && OF_ROWS.contains(keyword)
              || pointer.startsWith("/$defs/") && OF_ROWS.contains(keyword)
              || keyword.startsWith("x-");
      if (!known) {
        throw file.refuse(
            pointer + "/" + keyword, "is no rule (a note of your own begins with x-)");
      }
      if (schema.has("$ref") && !NOTES.contains(keyword) && !keyword.startsWith("x-")) {
        throw file.refuse(
            pointer + "/" + keyword, "must not stand beside a $ref but where the $ref leads");
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

  private void pattern(JsonNode schema, String pointer) {
    try {
      Pattern.compile(schema.path("pattern").asText(""));
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
    if (words.isMissingNode() || words.isTextual() && !words.textValue().isBlank()) {
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
