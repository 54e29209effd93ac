package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/**
 * How a body is packed: the codings of RFC 9110, section 8.4.1, that the JDK reads. A few bytes can
 * be unpacked to a thousand times as many, so each piece counts before the next one is unpacked.
 */
enum Packing {
  NONE {
    @Override
    InputStream open(InputStream packed) {
      return packed;
    }
  },
  GZIP {
    @Override
    InputStream open(InputStream packed) throws IOException {
      return new GZIPInputStream(packed, PIECE_BYTES);
    }
  },
  DEFLATE {
    @Override
    InputStream open(InputStream packed) {
      return new InflaterInputStream(packed);
    }
  };

  private static final int PIECE_BYTES = 8_192;

  abstract InputStream open(InputStream packed) throws IOException;

  /**
   * What the headers {@code Content-Encoding} of a request name.
   *
   * @throws ProblemException 415 if that is none of these, or more than one
   */
  static Packing of(List<String> codings) {
    if (codings.isEmpty()) {
      return NONE;
    }
    String coding = codings.size() == 1 ? codings.get(0) : "several";
    return switch (coding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> NONE;
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      default ->
          throw new ProblemException(
              Problem.of(
                  415,
                  "UNSUPPORTED_MEDIA_TYPE",
                  "Content-Encoding may be gzip or deflate; or send the body as it is."));
    };
  }

  /**
   * Unpacks a body.
   *
   * @param limit how many bytes it may have
   * @param hold where they count, beside those of the packed body
   * @throws ProblemException 400 if it does not unpack, 413 if it is too large, or what the hold
   *     says
   */
  byte[] unpack(byte[] packed, long limit, HeldMemory.Hold hold) {
    if (this == NONE || packed.length == 0) {
      return packed;
    }
    List<byte[]> pieces = new ArrayList<>();
    int bytes = 0;
    try (InputStream unpacked = open(new ByteArrayInputStream(packed))) {
      byte[] piece = unpacked.readNBytes(PIECE_BYTES);
      while (piece.length > 0) {
        if (bytes + piece.length > limit) {
          throw new ProblemException(HttpProblems.of(413).orElseThrow());
        }
        hold.add(piece.length);
        pieces.add(piece);
        bytes += piece.length;
        piece = unpacked.readNBytes(PIECE_BYTES);
      }
    } catch (IOException e) {
      throw new ProblemException(HttpProblems.of(400).orElseThrow());
    }
    ByteBuffer body = ByteBuffer.allocate(bytes);
    pieces.forEach(body::put);
    return body.array();
  }
}
