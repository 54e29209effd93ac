package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds schemas that lead back to themselves without going down into the value. */
final class Circles {
  private static final List<String> SAME_VALUE = List.of("not", "if", "then", "else");
  private static final List<String> SAME_VALUE_LISTS = List.of("allOf", "anyOf", "oneOf");

  private Circles() {}

  /**
   * Whether a circle can be reached from a schema.
   *
   * @param open the schemas on the way to it
   * @param ended the schemas known to have none
   */
  static boolean has(JsonNode root, JsonNode schema, Set<JsonNode> open, Set<JsonNode> ended) {
    if (ended.contains(schema)) {
      return false;
    }
    if (!open.add(schema)) {
      return true;
    }
    for (JsonNode next : next(root, schema)) {
      if (next.isObject() && has(root, next, open, ended)) {
        return true;
      }
    }
    open.remove(schema);
    ended.add(schema);
    return false;
  }

  private static List<JsonNode> next(JsonNode root, JsonNode schema) {
    List<JsonNode> next = new ArrayList<>();
    if (schema.path("$ref").isTextual()) {
      next.add(root.at(schema.get("$ref").textValue().substring(1)));
    }
    SAME_VALUE.forEach(keyword -> next.add(schema.path(keyword)));
    SAME_VALUE_LISTS.forEach(keyword -> schema.path(keyword).forEach(next::add));
    schema.path("dependentSchemas").forEach(next::add);
    return next;
  }
}
