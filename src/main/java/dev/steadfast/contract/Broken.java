package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A rule that a row breaks.
 *
 * @param field the field that breaks it; null for a rule of the whole row
 * @param beside the schema that the rule stands in
 * @param keyword the rule
 * @param property the field that the rule misses, if that is what it is about; otherwise null
 */
record Broken(String field, JsonNode beside, String keyword, String property) {

  /** Where the rule stands among those beside it: of two broken ones, the earlier is told. */
  int place() {
    int place = 0;
    for (Map.Entry<String, JsonNode> rule : beside.properties()) {
      if (rule.getKey().equals(keyword)) {
        return place;
      }
      place++;
    }
    return place;
  }

  /** What a person is told. */
  String in(Words words) {
    String about = field == null ? "row" : field;
    String text = words.beside(beside, keyword, about + ": breaks the rule " + keyword);
    return property == null ? text : Words.tidy(text.replace("{0}", property));
  }
}
