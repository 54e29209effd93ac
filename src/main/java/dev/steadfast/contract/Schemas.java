package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Walks through a JSON Schema: every place where a schema stands, and no place where data does. */
final class Schemas {
  private static final List<String> ONE =
      List.of(
          "not",
          "if",
          "then",
          "else",
          "additionalProperties",
          "propertyNames",
          "contains",
          "items",
          "unevaluatedItems",
          "unevaluatedProperties");
  private static final List<String> BY_NAME =
      List.of("properties", "$defs", "patternProperties", "dependentSchemas");
  private static final List<String> BY_PLACE = List.of("allOf", "anyOf", "oneOf", "prefixItems");

  private Schemas() {}

  /** What is done at each schema. */
  @FunctionalInterface
  interface Visitor {
    /**
     * @param schema the schema, an object
     * @param pointer where it stands
     */
    void visit(JsonNode schema, String pointer);
  }

  static void walk(JsonNode schema, String pointer, Visitor visitor) {
    if (!schema.isObject()) {
      return;
    }
    visitor.visit(schema, pointer);
    for (String keyword : ONE) {
      walk(schema.path(keyword), pointer + "/" + keyword, visitor);
    }
    for (String keyword : BY_NAME) {
      for (Map.Entry<String, JsonNode> next : schema.path(keyword).properties()) {
        walk(next.getValue(), pointer + "/" + keyword + "/" + escaped(next.getKey()), visitor);
      }
    }
    for (String keyword : BY_PLACE) {
      JsonNode all = schema.path(keyword);
      for (int i = 0; i < all.size(); i++) {
        walk(all.path(i), pointer + "/" + keyword + "/" + i, visitor);
      }
    }
  }

  /** A name as a part of a JSON pointer (RFC 6901). */
  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
