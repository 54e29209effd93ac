package dev.steadfast.dev;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * A JDBC driver for dev mode and tests: the first connection to {@code
 * jdbc:steadfast-embedded:DIRECTORY} starts a PostgreSQL on that directory and goes there. Ordinary
 * {@code jdbc:postgresql:} URLs go to the PostgreSQL driver unchanged.
 *
 * <p>Only the profiles {@code dev} and {@code test} name this class, so a native image has no path
 * to it, and the server's binaries are in no production package.
 */
public final class EmbeddedPostgresDriver implements Driver {
  /** What the URL of an embedded database begins with; the data directory follows. */
  public static final String PREFIX = "jdbc:steadfast-embedded:";

  private final Driver postgres = new org.postgresql.Driver();

  /**
   * The URL at which any PostgreSQL driver reaches the embedded database; starts it if need be.
   * Parameters after a question mark are passed on.
   */
  public static String postgresUrl(String url) throws SQLException {
    String rest = url.substring(PREFIX.length());
    int question = rest.indexOf('?');
    String directory = question < 0 ? rest : rest.substring(0, question);
    String parameters = question < 0 ? "" : rest.substring(question);
    return EmbeddedPostgresServer.urlOf(directory) + parameters.replace('?', '&');
  }

  @Override
  public Connection connect(String url, Properties properties) throws SQLException {
    return postgres.connect(url.startsWith(PREFIX) ? postgresUrl(url) : url, properties);
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return url.startsWith(PREFIX) || postgres.acceptsURL(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return postgres.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return postgres.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return postgres.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("dev.steadfast.dev");
  }
}
