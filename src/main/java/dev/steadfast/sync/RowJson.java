package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.steadfast.core.DecimalText;
import dev.steadfast.core.Entry;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.Mark;
import dev.steadfast.core.Row;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows as JSON: the two columns of {@code sync_rows}, and the entries that devices read. */
final class RowJson {
  private RowJson() {}

  /** Reads the columns {@code fields} and {@code marks}. */
  static Row read(String fields, String marks, long seq) {
    try {
      return new Row(readFields(fields), readMarks(marks), seq);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The column {@code fields}. */
  static String fields(Row row) {
    return write(json -> writeFields(json, row.fields()));
  }

  /** The column {@code marks}. */
  static String marks(Row row) {
    return write(
        json -> {
          json.writeStartObject();
          for (Map.Entry<String, Mark> mark : row.marks().entrySet()) {
            json.writeObjectFieldStart(mark.getKey());
            json.writeNumberField("at", mark.getValue().at());
            json.writeStringField("opId", mark.getValue().opId());
            json.writeEndObject();
          }
          json.writeEndObject();
        });
  }

  /** Entries as devices read them, side by side: the inside of a JSON array. */
  static String entries(List<Entry> entries) {
    StringBuilder all = new StringBuilder();
    for (Entry entry : entries) {
      all.append(all.isEmpty() ? "" : ",").append(write(json -> write(json, entry)));
    }
    return all.toString();
  }

  /** Writes one entry as a device reads it. */
  static void write(JsonGenerator json, Entry entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("opId", entry.mark().opId());
    json.writeStringField("rowId", entry.rowId());
    json.writeFieldName("fields");
    writeFields(json, entry.fields());
    json.writeNumberField("at", entry.mark().at());
    json.writeNumberField("seq", entry.seq());
    json.writeEndObject();
  }

  private static void writeFields(JsonGenerator json, Map<String, FieldValue> fields)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, FieldValue> field : fields.entrySet()) {
      json.writeFieldName(field.getKey());
      write(json, field.getValue());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, FieldValue value) throws IOException {
    if (value instanceof FieldValue.Text text) {
      json.writeString(text.text());
    } else if (value instanceof FieldValue.Number number) {
      json.writeNumber(DecimalText.json(number.number()));
    } else if (value instanceof FieldValue.Bool bool) {
      json.writeBoolean(bool == FieldValue.Bool.TRUE);
    } else if (value instanceof FieldValue.Opaque opaque) {
      json.writeRawValue(opaque.json());
    } else {
      throw new IllegalStateException("a row holds a value that the contract let pass: " + value);
    }
  }

  private interface Writing {
    void to(JsonGenerator json) throws IOException;
  }

  private static String write(Writing writing) {
    StringWriter text = new StringWriter(128);
    try (JsonGenerator json = Json.FACTORY.createGenerator(text)) {
      writing.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static Map<String, FieldValue> readFields(String text) throws IOException {
    Map<String, FieldValue> fields = new LinkedHashMap<>();
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        fields.put(name, readValue(parser));
      }
    }
    return fields;
  }

  private static FieldValue readValue(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> new FieldValue.Text(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new FieldValue.Number(new BigDecimal(parser.getText()));
      case VALUE_TRUE -> FieldValue.Bool.TRUE;
      case VALUE_FALSE -> FieldValue.Bool.FALSE;
      default -> opaque(parser);
    };
  }

  private static FieldValue opaque(JsonParser parser) {
    return new FieldValue.Opaque(write(json -> json.copyCurrentStructureExact(parser)));
  }

  private static Map<String, Mark> readMarks(String text) throws IOException {
    Map<String, Mark> marks = new LinkedHashMap<>();
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        marks.put(name, readMark(parser));
      }
    }
    return marks;
  }

  private static Mark readMark(JsonParser parser) throws IOException {
    long at = 0;
    String opId = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "at" -> at = parser.getLongValue();
        case "opId" -> opId = parser.getText();
        default -> parser.skipChildren();
      }
    }
    return new Mark(at, opId);
  }
}
