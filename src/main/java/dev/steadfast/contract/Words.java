package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The words of a deployment: for each rule, what a person is told if it is broken. They stand in
 * the keyword {@code errorMessage} beside the rule; those for our own refusals stand at the top.
 */
record Words(JsonNode root) {
  private static final int MAX_REASON = 500;
  private static final String KEYWORD = "errorMessage";

  /** The words for a rule, sought beside it; a neutral text if there are none. */
  String beside(JsonNode rules, String rule, String otherwise) {
    JsonNode words = rules.path(KEYWORD);
    String text = words.isTextual() ? words.textValue() : words.path(rule).textValue();
    return tidy(text == null ? otherwise : text);
  }

  /** The words for a refusal of our own, sought beside the field's rules and then at the top. */
  String ours(JsonNode rules, String rule, String otherwise) {
    String text = rules.path(KEYWORD).path(rule).textValue();
    if (text == null) {
      text = root.path(KEYWORD).path(rule).textValue();
    }
    return tidy(text == null ? otherwise : text);
  }

  /** A reason is short and has no control characters, whatever the file says. */
  static String tidy(String text) {
    if (isTidy(text)) {
      return text;
    }
    StringBuilder tidy = new StringBuilder(text.length());
    for (int c : text.codePoints().toArray()) {
      boolean unfit = Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
      if (tidy.length() + Character.charCount(c) > MAX_REASON) {
        break;
      }
      tidy.appendCodePoint(unfit ? ' ' : c);
    }
    return tidy.toString();
  }

  /** Nearly every text is: asked for each refused operation, it must cost next to nothing. */
  private static boolean isTidy(String text) {
    if (text.length() > MAX_REASON) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }
}
