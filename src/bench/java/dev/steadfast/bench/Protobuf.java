package dev.steadfast.bench;

import java.io.ByteArrayOutputStream;

/** As much of the protocol buffers' encoding as a message of texts and bytes needs. */
final class Protobuf {
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Protobuf text(int field, String text) {
    return bytes(field, Http.bytes(text));
  }

  Protobuf bytes(int field, byte[] bytes) {
    varint(field << 3 | LENGTH_DELIMITED);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  private void varint(int value) {
    int rest = value;
    while (rest > 0x7f) {
      out.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
