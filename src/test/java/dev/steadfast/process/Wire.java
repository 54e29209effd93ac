package dev.steadfast.process;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One HTTP connection, byte by byte: a client library repeats by itself what it thinks harmless,
 * and does not tell whether a request had left before the connection broke.
 */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  /** An answer that arrived wholly; the names of headers are in lower case. */
  record Answer(int status, Map<String, String> headers, String body) {}

  /**
   * @throws java.net.ConnectException if nobody listens: no request was accepted
   */
  Wire(int port) throws IOException {
    socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** The bytes of a request. */
  static byte[] request(String method, String path, String token, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String head =
        """
        %s %s HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Content-Type: application/json
        Content-Length: %d

        """
            .formatted(method, path, token, body.length)
            .replace("\n", "\r\n");
    byte[] bytes = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, head.length());
    System.arraycopy(body, 0, bytes, head.length(), body.length);
    return bytes;
  }

  /** Whether the other side has closed the connection: what is sent now would not be accepted. */
  boolean isOver() throws IOException {
    socket.setSoTimeout(1);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  void send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    socket.getOutputStream().flush();
  }

  /**
   * @throws IOException if the answer does not arrive wholly
   */
  Answer receive() throws IOException {
    String[] status = line().split(" ");
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    byte[] body;
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      body = chunks();
    } else {
      body = bytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }
    return new Answer(
        Integer.parseInt(status[1]), headers, new String(body, StandardCharsets.UTF_8));
  }

  private byte[] chunks() throws IOException {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    while (true) {
      byte[] chunk = bytes(Integer.parseInt(line(), 16));
      line();
      if (chunk.length == 0) {
        return all.toByteArray();
      }
      all.write(chunk);
    }
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the answer ends in its midst");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("no answer, or half of one");
      }
      line.append(c == '\r' ? "" : (char) c);
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
