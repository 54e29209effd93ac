package dev.steadfast.sync;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Counts round trips to the database: how often something is read after something was written. The
 * driver loads this class by its name, maybe by another class loader than the test's, so the count
 * is kept where both see it.
 */
public final class CountingSocketFactory extends SocketFactory {

  /** The count, for all connections of this JVM. */
  public static AtomicLong roundTrips() {
    return (AtomicLong)
        System.getProperties().computeIfAbsent("test.round-trips", key -> new AtomicLong());
  }

  @Override
  public Socket createSocket() {
    return new CountingSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostName(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host.getHostName(), port);
  }

  private static final class CountingSocket extends Socket {
    private volatile boolean written;

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int b) throws IOException {
          written = true;
          out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          written = true;
          out.write(bytes, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          count();
          return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          count();
          return in.read(bytes, offset, length);
        }
      };
    }

    private void count() {
      if (written) {
        written = false;
        roundTrips().incrementAndGet();
      }
    }
  }
}
