package dev.steadfast.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands between the service and PostgreSQL. Told to, it passes the next COMMIT of a keyed
 * operation on, waits until the server has answered it, and cuts the connection instead of passing
 * the answer back. It reads the SQL as it goes by, so the driver must not use named statements.
 */
final class CutAfterCommit implements AutoCloseable {
  private final ServerSocket listener;
  private final int serverPort;
  private final AtomicBoolean cutNext = new AtomicBoolean();

  CutAfterCommit(int serverPort) throws IOException {
    this.serverPort = serverPort;
    listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    background(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void cutNext() {
    cutNext.set(true);
  }

  /** Whether nobody has committed since {@link #cutNext()}. */
  boolean isArmed() {
    return cutNext.get();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      AtomicBoolean cut = new AtomicBoolean();
      background(
          () -> {
            try (client;
                server) {
              pass(client.getInputStream(), server.getOutputStream(), cut, true);
            }
          });
      background(
          () -> {
            try (client;
                server) {
              pass(server.getInputStream(), client.getOutputStream(), cut, false);
            }
          });
    }
  }

  private void pass(InputStream in, OutputStream out, AtomicBoolean cut, boolean toServer)
      throws IOException {
    byte[] bytes = new byte[65_536];
    boolean keyed = false;
    for (int count = in.read(bytes); count > 0; count = in.read(bytes)) {
      if (!toServer && cut.get()) {
        return;
      }
      String text = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
      keyed |= toServer && text.contains("INSERT INTO idempotent_operations");
      if (keyed && text.contains("COMMIT")) {
        keyed = false;
        cut.set(cutNext.compareAndSet(true, false));
      }
      out.write(bytes, 0, count);
      out.flush();
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void background(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The connection is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
