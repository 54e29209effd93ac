package dev.steadfast.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between two programs and takes the line away from them, after any number of bytes. */
final class CuttingProxy implements AutoCloseable {
  /** Which bytes are counted. */
  enum Direction {
    TO_SERVER,
    TO_CLIENT
  }

  private record Cut(Direction direction, AtomicLong left, boolean reset) {}

  private final ServerSocket listener;
  private final int serverPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Cut cut;
  private volatile boolean silent;

  CuttingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    background(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /**
   * Passes so many bytes more in this direction, over whichever connection, and cuts the one that
   * carries the last of them.
   *
   * @param reset whether both ends get a reset, and what was under way is lost, or a regular end
   */
  void cutAfter(Direction direction, long bytes, boolean reset) {
    cut = new Cut(direction, new AtomicLong(bytes), reset);
  }

  /** Cuts nothing any more; whether {@link #cutAfter} had not cut yet. */
  boolean disarm() {
    boolean armed = cut != null;
    cut = null;
    return armed;
  }

  /** From now on passes nothing and says nothing: the network between the two has vanished. */
  void fallSilent() {
    silent = true;
  }

  /** The network is back. What was under way before is forgotten: the old connections stay mute. */
  void speakAgain() {
    silent = false;
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      open.add(client);
      background(() -> connect(client));
    }
  }

  private void connect(Socket client) throws IOException {
    if (silent) {
      return;
    }
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
    } catch (IOException e) {
      end(client, true);
      return;
    }
    open.add(server);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    background(() -> pass(Direction.TO_CLIENT, server, client));
    pass(Direction.TO_SERVER, client, server);
  }

  private void pass(Direction direction, Socket from, Socket to) throws IOException {
    boolean reset = false;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[65_536];
      for (int count = in.read(bytes); count > 0; count = in.read(bytes)) {
        if (silent) {
          return;
        }
        Cut now = cut;
        boolean counted = now != null && now.direction() == direction;
        long left = counted ? now.left().getAndAdd(-count) : Long.MAX_VALUE;
        if (left < 0) {
          counted = false;
        }
        out.write(bytes, 0, counted ? (int) Math.min(left, count) : count);
        out.flush();
        if (counted && left <= count) {
          cut = null;
          reset = now.reset();
          break;
        }
      }
    } catch (IOException e) {
      reset = true;
    }
    if (!silent) {
      end(from, reset);
      end(to, reset);
    }
  }

  private void end(Socket socket, boolean reset) throws IOException {
    open.remove(socket);
    if (reset && !socket.isClosed()) {
      socket.setSoLinger(true, 0);
    }
    socket.close();
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
    for (Socket socket : open) {
      socket.close();
    }
  }
}
