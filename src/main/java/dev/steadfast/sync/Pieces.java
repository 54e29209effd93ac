package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A JSON text as it grows, cut into pieces between two tokens where its writer allows it. */
final class Pieces {
  private static final int PIECE_BYTES = 64 * 1024;

  private final ByteArrayOutputStream open = new ByteArrayOutputStream();
  private final List<byte[]> cut = new ArrayList<>();
  private long cutBytes;

  JsonGenerator generator() throws IOException {
    return Json.FACTORY.createGenerator(open);
  }

  /** A place where the text may be cut. */
  void mayCut(JsonGenerator json) throws IOException {
    json.flush();
    if (open.size() >= PIECE_BYTES) {
      cutBytes += open.size();
      cut.add(open.toByteArray());
      open.reset();
    }
  }

  /** How many bytes there were at the last place for a cut. */
  long size() {
    return cutBytes + open.size();
  }

  /** All pieces, once the generator is closed. */
  List<byte[]> all() {
    cut.add(open.toByteArray());
    return cut;
  }
}
