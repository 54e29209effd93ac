package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.steadfast.core.Contract;
import dev.steadfast.core.DecimalText;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.FieldValue.Unusable;
import dev.steadfast.core.Fingerprint;
import dev.steadfast.core.Operation;
import dev.steadfast.database.StorableText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads one operation after another. The envelope is checked strictly: nothing is coerced. The
 * values inside {@code fields} are never a fault of the request; a bad one is kept as {@link
 * Unusable} and judged with its operation. Fields that the contract does not name count for the
 * fingerprint only.
 */
final class OperationReader {
  /** 2^53 − 1: the greatest integer that every JSON implementation can hold. */
  static final long MAX_AT = (1L << 53) - 1;

  private static final int LONG_DIGITS = 18;

  private final JsonParser parser;
  private final Contract contract;
  private final Fingerprint fingerprint = new Fingerprint();
  private final EnvelopeKeys keys = new EnvelopeKeys();
  private String pointer;
  private String opId;
  private String rowId;
  private Map<String, FieldValue> fields;
  private long at;
  private long schema;
  private MalformedBodyException fault;

  OperationReader(JsonParser parser, Contract contract) {
    this.parser = parser;
    this.contract = contract;
  }

  /** The schema of the last operation read; 0 if it has none or a malformed one. */
  long schema() {
    return schema;
  }

  /** What is wrong with the last operation read, or null if nothing is. */
  MalformedBodyException fault() {
    return fault;
  }

  /**
   * Reads the operation at whose first token the parser stands, to its last token.
   *
   * @param pointer where it stands, as an RFC 6901 pointer
   * @return the operation, or null if it has a {@link #fault()}
   */
  Operation read(String pointer) throws IOException {
    this.pointer = pointer;
    opId = null;
    rowId = null;
    fields = null;
    at = -1;
    schema = 0;
    fault = null;
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      fault("", "must be an object");
      parser.skipChildren();
      return null;
    }
    keys.clear();
    fingerprint.reset();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      readMember();
    }
    require(opId, "/opId");
    require(rowId, "/rowId");
    require(at < 0 ? null : at, "/at");
    require(fields, "/fields");
    return fault != null
        ? null
        : new Operation(opId, rowId, fields, at, schema, fingerprint.finish(rowId, at));
  }

  private void readMember() throws IOException {
    String key = parser.currentName();
    String keyFault = keys.add(key);
    parser.nextToken();
    if (keyFault != null) {
      fault("", keyFault);
      parser.skipChildren();
      return;
    }
    switch (key) {
      case "opId" -> opId = readName("/opId");
      case "rowId" -> rowId = readName("/rowId");
      case "at" -> readAt();
      case "schema" -> readSchema();
      case "fields" -> readFields();
      default -> parser.skipChildren();
    }
  }

  private void require(Object value, String where) {
    if (value == null) {
      fault(where, "is missing");
    }
  }

  private void fault(String where, String detail) {
    if (fault == null) {
      fault = new MalformedBodyException(pointer + where, detail);
    }
  }

  private String readName(String where) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      fault(where, "must be a string");
      parser.skipChildren();
      return "";
    }
    String name = parser.getText();
    String nameFault = StorableText.nameFault(name, StorableText.MAX_NAME);
    if (nameFault != null) {
      fault(where, nameFault);
    }
    return name;
  }

  private void readAt() throws IOException {
    at = readInteger();
    if (at < 0 || at > MAX_AT) {
      fault(
          "/at", "must be an integer from 0 to " + MAX_AT + ", written without point or exponent");
      at = 0;
    }
  }

  private void readSchema() throws IOException {
    schema = readInteger();
    if (schema < 0) {
      fault("/schema", "must be an integer from 0 on, written without point or exponent");
      schema = 0;
    }
  }

  /** The integer at the parser, saturated at the greatest long; −1 for anything else. */
  private long readInteger() throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT || parser.getText().charAt(0) == '-') {
      parser.skipChildren();
      return -1;
    }
    return parser.getTextLength() > LONG_DIGITS ? Long.MAX_VALUE : parser.getLongValue();
  }

  private void readFields() throws IOException {
    fields = new LinkedHashMap<>();
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      fault("/fields", "must be an object");
      parser.skipChildren();
      return;
    }
    fingerprint.beginObject();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      fingerprint.name(name);
      parser.nextToken();
      FieldValue value = readValue();
      if (contract.names(name) && fields.put(name, value) != null) {
        fields.put(name, Unusable.REPEATED);
      }
    }
    fingerprint.endObject();
  }

  private FieldValue readValue() throws IOException {
    switch (parser.currentToken()) {
      case VALUE_STRING -> {
        String text = parser.getText();
        fingerprint.text(text);
        return StorableText.isStorable(text) ? new FieldValue.Text(text) : Unusable.UNSTORABLE_TEXT;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String token = parser.getText();
        fingerprint.number(token);
        return DecimalText.value(token);
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        boolean value = parser.currentToken() == JsonToken.VALUE_TRUE;
        fingerprint.bool(value);
        return FieldValue.Bool.of(value);
      }
      case START_ARRAY -> {
        skipNested();
        return Unusable.ARRAY;
      }
      case START_OBJECT -> {
        skipNested();
        return Unusable.OBJECT;
      }
      default -> {
        fingerprint.nothing();
        return Unusable.NULL;
      }
    }
  }

  /** Passes a nested value by, however deep: only its fingerprint is taken. */
  private void skipNested() throws IOException {
    int depth = 0;
    do {
      switch (parser.currentToken()) {
        case START_OBJECT -> {
          depth++;
          fingerprint.beginObject();
        }
        case START_ARRAY -> {
          depth++;
          fingerprint.beginArray();
        }
        case END_OBJECT -> {
          depth--;
          fingerprint.endObject();
        }
        case END_ARRAY -> {
          depth--;
          fingerprint.endArray();
        }
        case FIELD_NAME -> fingerprint.name(parser.currentName());
        case VALUE_STRING -> fingerprint.text(parser.getText());
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> fingerprint.number(parser.getText());
        case VALUE_TRUE, VALUE_FALSE ->
            fingerprint.bool(parser.currentToken() == JsonToken.VALUE_TRUE);
        default -> fingerprint.nothing();
      }
    } while (depth > 0 && parser.nextToken() != null);
  }
}
