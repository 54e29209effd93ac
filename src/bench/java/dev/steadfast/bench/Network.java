package dev.steadfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between a server and its database: every byte arrives half a millisecond later, each
 * way. It delays and does not serialise: what is sent while other bytes are on their way follows
 * them at once.
 */
final class Network implements AutoCloseable {
  private static final long DELAY_NANOS = 500_000;

  /** What the operating system adds to a short sleep; measured at the start. */
  private static final long OVERSLEEP_NANOS = oversleep();

  private final ServerSocket server;
  private final int target;

  Network(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 128, InetAddress.getByName("127.0.0.1"));
    daemon(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getByName("127.0.0.1"), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        forward(near, far);
        forward(far, near);
      }
    } catch (IOException closed) {
      // The run is over.
    }
  }

  private record Bytes(byte[] bytes, long due) {
    static final Bytes END = new Bytes(new byte[0], 0);
  }

  private static void forward(Socket from, Socket to) {
    BlockingQueue<Bytes> onTheWay = new LinkedBlockingQueue<>();
    daemon(
        () -> {
          byte[] buffer = new byte[1 << 16];
          try {
            InputStream in = from.getInputStream();
            int count;
            while ((count = in.read(buffer)) >= 0) {
              long due = System.nanoTime() + DELAY_NANOS;
              onTheWay.add(new Bytes(Arrays.copyOf(buffer, count), due));
            }
          } catch (IOException closed) {
            // As good as the end.
          }
          onTheWay.add(Bytes.END);
        });
    daemon(
        () -> {
          try (from;
              to) {
            OutputStream out = to.getOutputStream();
            Bytes next;
            while ((next = onTheWay.take()) != Bytes.END) {
              await(next.due());
              out.write(next.bytes());
            }
          } catch (IOException | InterruptedException closed) {
            // Both ends are closed.
          }
        });
  }

  private static void await(long due) {
    long left;
    while ((left = due - System.nanoTime() - OVERSLEEP_NANOS) > 0) {
      LockSupport.parkNanos(left);
    }
  }

  private static long oversleep() {
    long[] over = new long[200];
    for (int i = 0; i < over.length; i++) {
      long begin = System.nanoTime();
      LockSupport.parkNanos(DELAY_NANOS);
      over[i] = System.nanoTime() - begin - DELAY_NANOS;
    }
    Arrays.sort(over);
    return Math.max(0, over[over.length / 2]);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "network");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
