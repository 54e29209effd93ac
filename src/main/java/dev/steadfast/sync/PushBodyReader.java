package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.steadfast.core.Contract;
import dev.steadfast.core.Operation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code {"batch":[…]}}. Operations after the thousandth, and from the first one on that
 * nobody here can read because it is of a newer schema, are counted and skipped.
 */
final class PushBodyReader {
  private final JsonParser parser;
  private final OperationReader operationReader;
  private final long schema;
  private final List<Operation> operations = new ArrayList<>();
  private long count;
  private PushBody.End end = PushBody.End.COMPLETE;
  private MalformedBodyException malformed;
  private boolean afterNewerSchema;

  private PushBodyReader(JsonParser parser, Contract contract) {
    this.parser = parser;
    this.schema = contract.version();
    this.operationReader = new OperationReader(parser, contract);
  }

  /**
   * @param contract which fields exist, and the newest schema that this server understands
   * @throws MalformedBodyException if the body is not JSON or not a batch
   */
  static PushBody read(byte[] body, Contract contract) {
    if (body == null || body.length == 0) {
      throw new MalformedBodyException("", "is empty; send {\"batch\":[…]}");
    }
    try (JsonParser parser = Json.FACTORY.createParser(strictUtf8(body))) {
      return new PushBodyReader(parser, contract).read();
    } catch (StreamConstraintsException e) {
      throw new MalformedBodyException("", "is nested deeper than " + Json.MAX_NESTING + " levels");
    } catch (JsonProcessingException e) {
      throw new MalformedBodyException("", "is not valid JSON" + place(e));
    } catch (IOException e) {
      throw new MalformedBodyException("", "is not valid JSON: its bytes are not UTF-8");
    }
  }

  /** Left to itself the parser would replace what is no UTF-8, and two names could become one. */
  private static Reader strictUtf8(byte[] body) {
    return new InputStreamReader(
        new ByteArrayInputStream(body),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  private PushBody read() throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new MalformedBodyException("", "must be an object: {\"batch\":[…]}");
    }
    EnvelopeKeys keys = new EnvelopeKeys();
    boolean found = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      String fault = keys.add(key);
      if (fault != null) {
        throw new MalformedBodyException("", fault);
      }
      parser.nextToken();
      if (key.equals("batch")) {
        found = true;
        readBatch();
      } else {
        parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw new MalformedBodyException("", "goes on after its object");
    }
    if (!found) {
      throw new MalformedBodyException("/batch", "is missing");
    }
    return new PushBody(operations, count, end, malformed);
  }

  private void readBatch() throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new MalformedBodyException("/batch", "must be an array");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (end == PushBody.End.COMPLETE && operations.size() < PushBody.MAX_OPERATIONS) {
        readOperation();
      } else {
        parser.skipChildren();
      }
      count++;
    }
  }

  private void readOperation() throws IOException {
    Operation operation = operationReader.read("/batch/" + count);
    if (operation != null) {
      operations.add(operation);
      afterNewerSchema |= operation.schema() > schema;
    } else if (operationReader.schema() > schema) {
      end = PushBody.End.AHEAD;
    } else if (afterNewerSchema) {
      end = PushBody.End.MALFORMED;
      malformed = operationReader.fault();
    } else {
      throw operationReader.fault();
    }
  }
}
