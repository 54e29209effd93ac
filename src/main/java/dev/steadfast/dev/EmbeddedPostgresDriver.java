package dev.steadfast.dev;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The JDBC driver of dev mode and of the tests: it gives a developer a PostgreSQL without Docker
 * and without an installation.
 *
 * <ul>
 *   <li>{@code jdbc:steadfast-embedded:.postgres/17}: a server whose data stays in that directory;
 *   <li>{@code jdbc:steadfast-embedded:}: a server of this JVM, empty at first, gone with the JVM;
 *   <li>any other URL goes to the ordinary PostgreSQL driver unchanged.
 * </ul>
 *
 * Parameters after {@code ?} reach the PostgreSQL driver. The class is named by the settings of the
 * dev and test profiles only; production packages do not contain it.
 */
public final class EmbeddedPostgresDriver implements Driver {
  /** What a URL that asks for an embedded server begins with. */
  public static final String PREFIX = "jdbc:steadfast-embedded:";

  /** The URL of the server that lives as long as the JVM, as the tests use it. */
  public static final String TEST_URL = PREFIX;

  private static final Map<String, Integer> PORTS = new ConcurrentHashMap<>();

  private final Driver postgresql = new org.postgresql.Driver();

  /**
   * Made by the connection pool. Starts the configured server already here: a first start takes
   * longer than the pool waits for a connection.
   */
  public EmbeddedPostgresDriver() {
    ConfigProvider.getConfig()
        .getOptionalValue("quarkus.datasource.jdbc.url", String.class)
        .ifPresent(EmbeddedPostgresDriver::realUrl);
  }

  /**
   * The ordinary {@code jdbc:postgresql:} URL behind a URL of this driver, as the service's role.
   *
   * @throws IllegalStateException if the server does not start; the cause says why
   */
  public static String realUrl(String url) {
    return realUrl(url, EmbeddedRoles.SERVICE);
  }

  /**
   * The ordinary {@code jdbc:postgresql:} URL behind a URL of this driver, for code that opens its
   * own connections or hands the database to another process. Starts the server if need be. Any
   * other URL is returned as it is.
   *
   * @param role who connects: one of {@link EmbeddedRoles}
   * @throws IllegalStateException if the server does not start; the cause says why
   */
  public static String realUrl(String url, String role) {
    if (!url.startsWith(PREFIX)) {
      return url;
    }
    int question = url.indexOf('?');
    String parameters = question < 0 ? "" : "&" + url.substring(question + 1);
    int port = PORTS.computeIfAbsent(directory(url), EmbeddedPostgresDriver::port);
    return url(port, role) + parameters;
  }

  private static String directory(String url) {
    int question = url.indexOf('?');
    return url.substring(PREFIX.length(), question < 0 ? url.length() : question);
  }

  static String url(int port, String role) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + role;
  }

  // One server per directory and JVM. The lock is a JDK object, so that the class loaders of a
  // hot reload and of test profiles share it.
  private static int port(String directory) {
    synchronized (Runtime.getRuntime()) {
      try {
        int port =
            directory.isEmpty()
                ? EmbeddedServer.portOfTest()
                : EmbeddedServer.portOfKept(Path.of(directory));
        EmbeddedRoles.prepare(url(port, EmbeddedRoles.SUPERUSER));
        return port;
      } catch (IOException | SQLException | RuntimeException e) {
        throw new IllegalStateException("The embedded PostgreSQL does not start", e);
      }
    }
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    try {
      return postgresql.connect(realUrl(url), info);
    } catch (IllegalStateException e) {
      throw new SQLException(e.getMessage(), "08001", e);
    } catch (SQLException e) {
      // Perhaps somebody stopped the server: the next attempt looks again, and starts it.
      if (url.startsWith(PREFIX)) {
        PORTS.remove(directory(url));
      }
      throw e;
    }
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return url.startsWith(PREFIX) || postgresql.acceptsURL(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    return url.startsWith(PREFIX)
        ? new DriverPropertyInfo[0]
        : postgresql.getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return postgresql.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return postgresql.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return postgresql.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return postgresql.getParentLogger();
  }
}
