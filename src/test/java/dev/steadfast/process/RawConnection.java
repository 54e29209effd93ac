package dev.steadfast.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that may do on its connection what an HTTP library would not. */
final class RawConnection implements AutoCloseable {
  private final Socket socket;

  RawConnection(ServiceProcess service) throws IOException {
    URI base = URI.create(service.base());
    socket = new Socket(base.getHost(), base.getPort());
    socket.setSoTimeout(100);
  }

  RawConnection send(String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return this;
  }

  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Sends a byte each tenth of a second, for ever; what was answered until it was cut off. */
  String trickle(char each, int mostSeconds) throws IOException {
    StringBuilder answer = new StringBuilder();
    for (int i = 0; i < mostSeconds * 10; i++) {
      try {
        send(String.valueOf(each));
        if (!readSome(answer)) {
          return answer.toString();
        }
      } catch (SocketTimeoutException e) {
        // Nothing yet.
      } catch (IOException e) {
        return answer.toString();
      }
    }
    throw new AssertionError("not cut off after " + mostSeconds + " s: " + answer);
  }

  /** Everything until the other side closes, or is silent for so many seconds. */
  String readAll(int silentSeconds) throws IOException {
    return read(silentSeconds * 1_000);
  }

  /** What is there already. */
  String readSoFar() throws IOException {
    return read(10);
  }

  private String read(int silentMillis) throws IOException {
    StringBuilder answer = new StringBuilder();
    socket.setSoTimeout(silentMillis);
    try {
      while (readSome(answer)) {
        // There is more.
      }
    } catch (IOException e) {
      // Silent, or cut off: what came is the answer.
    }
    return answer.toString();
  }

  /** Whether the other side has closed the connection. */
  boolean isOver() throws IOException {
    socket.setSoTimeout(100);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private boolean readSome(StringBuilder answer) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[8192];
    int count = in.read(buffer);
    if (count > 0) {
      answer.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
    return count >= 0;
  }

  /** Closes the connection as one whose client has died. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
