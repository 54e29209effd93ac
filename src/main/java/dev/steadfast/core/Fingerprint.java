package dev.steadfast.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A short hash of what an operation says: its row, its time and its fields as received. Two devices
 * restored from one backup may give one name to two different edits; the fingerprint is how the
 * server notices and says so ({@code "differs": true}) instead of losing the second edit silently.
 *
 * <p>The fields are fed token by token, in the order of their arrival, and never held as a tree;
 * the cost is linear in the body whatever its nesting. The encoding is frozen: a changed one would
 * make every repeat in the world look different.
 *
 * <pre>
 * fingerprint = first 8 bytes of SHA-256( text(rowId) int64(at) object(fields) )
 * text        = 't' int32(n) n UTF-16BE units          for n up to 256
 *             | 'x' int32(n) SHA-256(UTF-16BE units)   for longer ones
 * number      = 'n' int64(scale) text(unscaled value), as of BigDecimal.stripTrailingZeros
 *             | 'N' text(token)                        if the exponent has more than 18 characters
 * true, false, null = 'T', 'F', '0'
 * array       = '[' values ']'
 * object      = '{' SHA-256( members: text(name) value, sorted by name in UTF-16 order; members of
 *               one name in the order received )
 * </pre>
 */
public final class Fingerprint {
  private static final int LONG_TEXT = 256;

  private final MessageDigest sha256 = sha256();
  private byte[] buffer = new byte[512];
  private int size;

  /** Where members begin in the buffer, those of all open objects. */
  private int[] members = new int[16];

  private int memberCount;

  /** The value of {@link #memberCount} and {@link #size} at the beginning of each open object. */
  private int[] open = new int[16];

  private int openCount;

  /**
   * Closes the outermost object, which holds the fields, and makes ready for the next operation.
   */
  public long finish(String rowId, long at) {
    byte[] fields = Arrays.copyOf(buffer, size);
    size = 0;
    text(rowId);
    room(Long.BYTES);
    putLong(at);
    append(fields);
    sha256.update(buffer, 0, size);
    size = 0;
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  /** Forgets what was fed. */
  public void reset() {
    size = 0;
    memberCount = 0;
    openCount = 0;
  }

  /** A string. */
  public void text(CharSequence text) {
    int length = text.length();
    if (length <= LONG_TEXT) {
      room(5 + 2 * length);
      buffer[size++] = 't';
      putInt(length);
      putUnits(text, 0, length);
    } else {
      byte[] digest = digestOf(text);
      room(5);
      buffer[size++] = 'x';
      putInt(length);
      append(digest);
    }
  }

  /** A number, by its token. */
  public void number(CharSequence token) {
    DecimalText decimal = DecimalText.of(token);
    room(1 + Long.BYTES);
    if (decimal.fits()) {
      buffer[size++] = 'n';
      putLong(decimal.scale());
      text(decimal.digits());
    } else {
      buffer[size++] = 'N';
      text(token);
    }
  }

  /** A truth value. */
  public void bool(boolean value) {
    mark(value ? 'T' : 'F');
  }

  /** JSON null. */
  public void nothing() {
    mark('0');
  }

  /** The beginning of an array. */
  public void beginArray() {
    mark('[');
  }

  /** The end of an array. */
  public void endArray() {
    mark(']');
  }

  /** The beginning of an object. */
  public void beginObject() {
    if (openCount + 2 > open.length) {
      open = Arrays.copyOf(open, open.length * 2);
    }
    open[openCount++] = memberCount;
    open[openCount++] = size;
  }

  /** The name of a member; its value follows. */
  public void name(CharSequence name) {
    if (memberCount == members.length) {
      members = Arrays.copyOf(members, members.length * 2);
    }
    members[memberCount++] = size;
    text(name);
  }

  /** The end of an object: its members are sorted and replaced by their digest. */
  public void endObject() {
    int start = open[--openCount];
    int first = open[--openCount];
    int count = memberCount - first;
    Member[] sorted = new Member[count];
    for (int i = 0; i < count; i++) {
      int end = i + 1 < count ? members[first + i + 1] : size;
      sorted[i] = new Member(members[first + i], end);
    }
    Arrays.sort(sorted, this::byName);
    for (Member member : sorted) {
      sha256.update(buffer, member.start, member.end - member.start);
    }
    memberCount = first;
    size = start;
    mark('{');
    append(sha256.digest());
  }

  private record Member(int start, int end) {}

  /**
   * The order of two members' names. Units are big-endian, so the order of bytes is that of UTF-16
   * units; names too long to stand in full are ordered by length and digest, which is as stable.
   */
  private int byName(Member a, Member b) {
    boolean full = buffer[a.start] == 't' && buffer[b.start] == 't';
    int skip = full ? 5 : 0;
    return Arrays.compareUnsigned(
        buffer, a.start + skip, nameEnd(a.start), buffer, b.start + skip, nameEnd(b.start));
  }

  private int nameEnd(int start) {
    int length = ByteBuffer.wrap(buffer, start + 1, Integer.BYTES).getInt();
    return start + 5 + (buffer[start] == 't' ? 2 * length : sha256.getDigestLength());
  }

  private byte[] digestOf(CharSequence text) {
    MessageDigest digest = sha256();
    byte[] chunk = new byte[4096];
    int filled = 0;
    for (int i = 0; i < text.length(); i++) {
      if (filled == chunk.length) {
        digest.update(chunk);
        filled = 0;
      }
      char c = text.charAt(i);
      chunk[filled++] = (byte) (c >> 8);
      chunk[filled++] = (byte) c;
    }
    digest.update(chunk, 0, filled);
    return digest.digest();
  }

  private void mark(char c) {
    room(1);
    buffer[size++] = (byte) c;
  }

  private void append(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  private void putUnits(CharSequence text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      buffer[size++] = (byte) (c >> 8);
      buffer[size++] = (byte) c;
    }
  }

  private void putInt(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >> shift);
    }
  }

  private void putLong(long value) {
    putInt((int) (value >> 32));
    putInt((int) value);
  }

  private void room(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(size + more, buffer.length * 2));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
