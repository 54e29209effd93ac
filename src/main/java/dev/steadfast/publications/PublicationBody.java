package dev.steadfast.publications;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The body of a keyed call, read token by token: nothing is coerced, and every fault is named at
 * once.
 *
 * @param title stripped
 * @param version the version that an update builds on; 0 in a creation
 */
record PublicationBody(String title, int version) {

  /** Which fields a call has. */
  enum Form {
    /** {@code {"title"}}. */
    CREATION,
    /** {@code {"title","version"}}, and the {@code id} that a read has, if it is the path's. */
    UPDATE
  }

  /**
   * Reads a body.
   *
   * @param id the path's id; of no meaning in a creation
   * @throws ProblemException 400 {@code MALFORMED_BODY} if it is not JSON, {@code INVALID_BODY}
   *     with all faulty places if it is
   */
  static PublicationBody read(byte[] body, Form form, int id) {
    // Decoded here: without its table of names Jackson reads bytes through a decoder that replaces
    // what is no UTF-8 instead of refusing it.
    try (JsonParser parser = Reader.JSON.createParser(decoded(body))) {
      return new Reader(parser, form, id).read();
    } catch (JsonProcessingException e) {
      throw malformed("is not valid JSON" + place(e));
    } catch (IOException e) {
      throw malformed("is not valid JSON: its bytes are not UTF-8");
    }
  }

  private static String decoded(byte[] body) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  private static ProblemException malformed(String detail) {
    return ProblemException.at(400, "MALFORMED_BODY", "", detail);
  }

  private static final class Reader {
    private static final JsonFactory JSON =
        new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNumberLength(Integer.MAX_VALUE).build())
            .build();
    private static final int MAX_PLACES = 20;
    private static final int MAX_POINTER = 100;
    private static final int INTEGER_DIGITS = 10;

    private final JsonParser parser;
    private final Form form;
    private final int id;
    private final List<Problem.Place> places = new ArrayList<>();
    private String title = "";
    private long version;

    Reader(JsonParser parser, Form form, int id) {
      this.parser = parser;
      this.form = form;
      this.id = id;
    }

    PublicationBody read() throws IOException {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw malformed("is empty");
      }
      if (first == JsonToken.START_OBJECT) {
        readObject();
      } else {
        parser.skipChildren();
        fault("", "must be an object");
      }
      if (parser.nextToken() != null) {
        throw malformed("goes on after its end");
      }
      if (!places.isEmpty()) {
        String detail = "The body is not what this call takes; errors names the places.";
        throw new ProblemException(Problem.of(400, "INVALID_BODY", detail, places));
      }
      return new PublicationBody(title, (int) version);
    }

    private void readObject() throws IOException {
      Set<String> seen = new HashSet<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        boolean known =
            name.equals("title")
                || form == Form.UPDATE && (name.equals("version") || name.equals("id"));
        if (!known) {
          String pointer = "/" + name.replace("~", "~0").replace("/", "~1");
          boolean shown = pointer.length() <= MAX_POINTER;
          fault(shown ? pointer : "", shown ? "is not taken here" : "has a field of a long name");
          parser.skipChildren();
        } else if (!seen.add(name)) {
          throw malformed("has the field " + name + " twice");
        } else if (name.equals("title")) {
          readTitle();
        } else {
          readNumber(name);
        }
      }
      missing(seen, "title");
      if (form == Form.UPDATE) {
        missing(seen, "version");
      }
    }

    private void missing(Set<String> seen, String name) {
      if (!seen.contains(name)) {
        fault("/" + name, "is missing");
      }
    }

    private void readTitle() throws IOException {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        parser.skipChildren();
        fault("/title", "must be a string");
        return;
      }
      title = Title.strip(parser.getText());
      String fault = Title.fault(title);
      if (fault != null) {
        fault("/title", fault);
      }
    }

    private void readNumber(String name) throws IOException {
      boolean integer =
          parser.currentToken() == JsonToken.VALUE_NUMBER_INT
              && parser.getTextLength() <= INTEGER_DIGITS;
      long value = integer ? parser.getLongValue() : 0;
      parser.skipChildren();
      if (value < 1 || value > Integer.MAX_VALUE) {
        fault("/" + name, "must be an integer from 1 to " + Integer.MAX_VALUE);
      } else if (name.equals("id") && value != id) {
        fault("/id", "must be the id of the path, or be left out");
      } else if (name.equals("version")) {
        version = value;
      }
    }

    private void fault(String pointer, String detail) {
      if (places.size() < MAX_PLACES) {
        places.add(new Problem.Place(pointer, detail));
      }
    }
  }
}
