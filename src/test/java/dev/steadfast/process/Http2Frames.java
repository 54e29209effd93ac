package dev.steadfast.process;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of HTTP/2 (RFC 9113) as no library would send them. */
final class Http2Frames {
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final byte[] CANCEL = {0, 0, 0, 8};

  /** SETTINGS_INITIAL_WINDOW_SIZE is 0. */
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private static final byte[] HEADER_TO_REMEMBER = {0x40, 1, 'a', 0};
  private static final byte FIRST_OF_DYNAMIC_TABLE = (byte) 0xBE;

  private Http2Frames() {}

  /** What a client does with its requests, none of which waits for an answer. */
  enum Manner {
    /** Nothing. */
    PLAIN,
    /** It cancels each at once. */
    CANCELLED,
    /** It takes no byte of any answer; each request has 90 headers more, of one byte. */
    UNREAD,
    /** The same with 200 headers. */
    TOO_MANY_HEADERS
  }

  /** The preface, and GET requests. */
  static byte[] flood(String path, int requests, Manner manner) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    boolean fat = manner == Manner.UNREAD || manner == Manner.TOO_MANY_HEADERS;
    frame(out, SETTINGS, 0, 0, fat ? NO_WINDOW : new byte[0]);
    for (int i = 0; i < requests; i++) {
      int stream = 2 * i + 1;
      byte[] head = get(path);
      if (fat) {
        int more = manner == Manner.UNREAD ? 90 : 200;
        byte[] many = new byte[more];
        Arrays.fill(many, FIRST_OF_DYNAMIC_TABLE);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head);
        all.writeBytes(i == 0 ? HEADER_TO_REMEMBER : new byte[0]);
        all.writeBytes(many);
        head = all.toByteArray();
      }
      frame(out, HEADERS, END_STREAM_AND_HEADERS, stream, head);
      if (manner == Manner.CANCELLED) {
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
