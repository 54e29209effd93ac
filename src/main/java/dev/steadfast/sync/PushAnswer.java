package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.steadfast.core.Contract;
import dev.steadfast.core.Entry;
import dev.steadfast.core.Judging;
import dev.steadfast.core.Row;
import dev.steadfast.core.Verdict;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The answer to a push.
 *
 * @param after what was judged
 * @param left how many operations have no verdict, and stay in the device's queue
 * @param leftCode why they were left: the limit of a batch, or a schema newer than the server's
 * @param contract gives the order of fields
 */
record PushAnswer(Judging.After after, long left, String leftCode, Contract contract) {
  /** The code of a push that met an operation of a schema newer than the server's. */
  static final String SCHEMA_AHEAD = "SCHEMA_AHEAD";

  private static final String BATCH_LIMIT = "BATCH_LIMIT";

  static PushAnswer of(PushBody body, Judging.After after, Contract contract) {
    boolean ahead = after.ahead() || body.end() == PushBody.End.AHEAD;
    long left = body.count() - after.verdicts().size();
    return new PushAnswer(after, left, ahead ? SCHEMA_AHEAD : BATCH_LIMIT, contract);
  }

  /**
   * The answer as JSON, in pieces that end between two verdicts. A row is carried once, by the
   * first rejected verdict that names it: nine hundred refusals of one large row must not make a
   * small request a huge answer.
   */
  List<byte[]> json() throws IOException {
    Set<String> carried = new HashSet<>();
    Pieces pieces = new Pieces();
    try (JsonGenerator json = pieces.generator()) {
      json.writeStartObject();
      json.writeArrayFieldStart("verdicts");
      for (Verdict verdict : after.verdicts()) {
        pieces.mayCut(json);
        write(json, verdict, carried);
      }
      json.writeEndArray();
      if (left > 0) {
        json.writeObjectFieldStart("left");
        json.writeNumberField("count", left);
        json.writeStringField("code", leftCode);
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    return pieces.all();
  }

  private void write(JsonGenerator json, Verdict verdict, Set<String> carried) throws IOException {
    json.writeStartObject();
    json.writeStringField("opId", verdict.opId());
    json.writeStringField("status", verdict.status().word());
    if (verdict.refusal() != null) {
      json.writeStringField("reason", verdict.refusal().reason());
      json.writeStringField("code", verdict.refusal().code());
      if (carried.add(verdict.rowId())) {
        writeRow(json, verdict.rowId());
      }
    }
    if (!verdict.lost().isEmpty()) {
      json.writeArrayFieldStart("lost");
      for (String field : verdict.lost()) {
        json.writeString(field);
      }
      json.writeEndArray();
    }
    if (verdict.differs()) {
      json.writeBooleanField("differs", true);
    }
    json.writeEndObject();
  }

  private void writeRow(JsonGenerator json, String rowId) throws IOException {
    json.writeArrayFieldStart("row");
    for (Entry entry : Entry.of(rowId, after.rows().getOrDefault(rowId, Row.ABSENT), contract)) {
      RowJson.write(json, entry);
    }
    json.writeEndArray();
  }
}
