package dev.steadfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The client of all contenders: the JDK's blocking one, which keeps connections open. */
final class Http {
  static {
    System.setProperty("http.maxConnections", "128");
  }

  private static final int BUSY = 503;

  private Http() {}

  /** The server asks to come again a little later. */
  static final class BusyException extends IOException {
    private BusyException(String message) {
      super(message);
    }
  }

  static byte[] get(String url, Map<String, String> headers) throws IOException {
    return send("GET", url, headers, null);
  }

  static byte[] post(String url, Map<String, String> headers, byte[] body) throws IOException {
    return send("POST", url, headers, body);
  }

  /** Sends a request and reads the answer to its end; anything but success is an exception. */
  static byte[] send(String method, String url, Map<String, String> headers, byte[] body)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod(method);
    headers.forEach(connection::setRequestProperty);
    if (body != null) {
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(body.length);
      connection.getOutputStream().write(body);
    }
    int status = connection.getResponseCode();
    InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    byte[] answer = stream == null ? new byte[0] : stream.readAllBytes();
    if (status >= 300) {
      String message = method + " " + url + ": " + status + " " + text(answer);
      throw status == BUSY ? new BusyException(message) : new IOException(message);
    }
    return answer;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** How often {@code part} is in an answer. */
  static int count(byte[] answer, String part) {
    byte[] sought = bytes(part);
    int count = 0;
    for (int i = 0; i + sought.length <= answer.length; i++) {
      int j = 0;
      while (j < sought.length && answer[i + j] == sought[j]) {
        j++;
      }
      count += j == sought.length ? 1 : 0;
    }
    return count;
  }
}
