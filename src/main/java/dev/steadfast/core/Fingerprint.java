package dev.steadfast.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
 * text        = 't' varint(n) n UTF-16BE units         for n up to 256
 *             | 'x' varint(n) SHA-256(UTF-16BE units)  for longer ones
 * number      = 'n' varint(zigzag(scale)) text(unscaled value), as of BigDecimal.stripTrailingZeros
 *             | 'N' text(token)                        if the exponent has more than 18 characters
 * true, false, null = 'T', 'F', '0'
 * array       = '[' SHA-256( values )
 * object      = '{' SHA-256( members: text(name) value, sorted by name in UTF-16 order; members of
 *               one name in the order received; a name of more than 256 units is compared as
 *               it is encoded, and stands behind all shorter ones )
 * varint      = unsigned LEB128
 * </pre>
 */
public final class Fingerprint {
  private static final int LONG_TEXT = 256;
  private static final int MAX_VARINT = 10;
  private static final int ARRAY = -1;

  private final MessageDigest sha256 = sha256();
  private byte[] buffer = new byte[512];
  private int size;

  /** Where members begin in the buffer, those of all open objects. */
  private int[] members = new int[16];

  private int memberCount;

  /**
   * For each open object, the value of {@link #memberCount} and of {@link #size} at its beginning;
   * for each open array {@link #ARRAY} and its {@link #size}.
   */
  private int[] open = new int[16];

  private int openCount;

  /** The digests of the open arrays: what an array holds goes there and does not stay. */
  private final List<MessageDigest> arrays = new ArrayList<>();

  /**
   * Closes the outermost object, which holds the fields, and makes ready for the next operation.
   */
  public long finish(String rowId, long at) {
    byte[] fields = Arrays.copyOf(buffer, size);
    size = 0;
    putText(rowId);
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
    arrays.clear();
  }

  /** A string. */
  public void text(CharSequence text) {
    putText(text);
    completed();
  }

  private void putText(CharSequence text) {
    int length = text.length();
    boolean whole = length <= LONG_TEXT;
    room(1 + MAX_VARINT + (whole ? 2 * length : 0));
    buffer[size++] = (byte) (whole ? 't' : 'x');
    putVarint(length);
    if (whole) {
      putUnits(text);
    } else {
      append(digestOf(text));
    }
  }

  /** A number, by its token. */
  public void number(CharSequence token) {
    DecimalText decimal = DecimalText.of(token);
    room(1 + MAX_VARINT);
    buffer[size++] = (byte) (decimal.fits() ? 'n' : 'N');
    if (decimal.fits()) {
      putVarint(decimal.scale() << 1 ^ decimal.scale() >> 63);
    }
    putText(decimal.fits() ? decimal.digits() : token);
    completed();
  }

  /** A truth value. */
  public void bool(boolean value) {
    mark(value ? 'T' : 'F');
    completed();
  }

  /** JSON null. */
  public void nothing() {
    mark('0');
    completed();
  }

  /** The beginning of an array. */
  public void beginArray() {
    begin(ARRAY);
    arrays.add(sha256());
  }

  /** The end of an array. */
  public void endArray() {
    openCount -= 2;
    mark('[');
    append(arrays.remove(arrays.size() - 1).digest());
    completed();
  }

  /** A value inside an array is taken into the array's digest as soon as it is complete. */
  private void completed() {
    if (openCount > 0 && open[openCount - 2] == ARRAY) {
      int start = open[openCount - 1];
      arrays.get(arrays.size() - 1).update(buffer, start, size - start);
      size = start;
    }
  }

  /** The beginning of an object. */
  public void beginObject() {
    begin(memberCount);
  }

  private void begin(int what) {
    if (openCount + 2 > open.length) {
      open = Arrays.copyOf(open, open.length * 2);
    }
    open[openCount++] = what;
    open[openCount++] = size;
  }

  /** The name of a member; its value follows. */
  public void name(CharSequence name) {
    if (memberCount == members.length) {
      members = Arrays.copyOf(members, members.length + members.length / 2);
    }
    members[memberCount++] = size;
    putText(name);
  }

  /** The end of an object: its members are sorted and replaced by their digest. */
  public void endObject() {
    int start = open[--openCount];
    int first = open[--openCount];
    for (int member : sorted(first)) {
      int next = Arrays.binarySearch(members, first, memberCount, member) + 1;
      int end = next < memberCount ? members[next] : size;
      sha256.update(buffer, member, end - member);
    }
    memberCount = first;
    size = start;
    mark('{');
    append(sha256.digest());
    completed();
  }

  /** A stable merge sort by name, on numbers alone: a hostile object has millions of members. */
  private int[] sorted(int first) {
    int[] from = Arrays.copyOfRange(members, first, memberCount);
    int[] to = isSorted(from) ? from : new int[from.length];
    for (int width = 1; from != to && width < from.length; width *= 2) {
      for (int low = 0; low < from.length; low += 2 * width) {
        int middle = Math.min(low + width, from.length);
        merge(from, to, low, middle, Math.min(middle + width, from.length));
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private boolean isSorted(int[] starts) {
    for (int i = 1; i < starts.length; i++) {
      if (byName(starts[i - 1], starts[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private void merge(int[] from, int[] to, int low, int middle, int high) {
    int left = low;
    int right = middle;
    for (int i = low; i < high; i++) {
      boolean takeLeft = left < middle && (right >= high || byName(from[left], from[right]) <= 0);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  /** The order of two members by name. Units are big-endian: bytes are ordered as units are. */
  private int byName(int a, int b) {
    if (buffer[a] != buffer[b]) {
      return Byte.compare(buffer[a], buffer[b]);
    }
    int from = textStart(a);
    int to = textStart(b);
    return Arrays.compareUnsigned(buffer, from, from + textBytes(a), buffer, to, to + textBytes(b));
  }

  private int textStart(int text) {
    int start = text + 1;
    while (buffer[start] < 0) {
      start++;
    }
    return start + 1;
  }

  private int textBytes(int text) {
    if (buffer[text] == 'x') {
      return sha256.getDigestLength();
    }
    int length = buffer[text + 1] & 0x7f;
    return 2 * (buffer[text + 1] < 0 ? length | buffer[text + 2] << 7 : length);
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

  private void putUnits(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      buffer[size++] = (byte) (c >> 8);
      buffer[size++] = (byte) c;
    }
  }

  private void putLong(long value) {
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[size++] = (byte) (value >> shift);
    }
  }

  private void putVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
  }

  private void room(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(size + more, size + size / 4 + 512));
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
