package dev.steadfast.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The PostgreSQL of a run, as durable as PostgreSQL is by default, with a database for each. */
final class Postgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  Postgres(Path directory) throws Exception {
    Files.createDirectories(directory);
    server =
        EmbeddedPostgres.builder()
            .setDataDirectory(directory.toFile())
            .setCleanDataDirectory(true)
            // The library switches some of these off.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "300")
            .setPGStartupWait(Duration.ofSeconds(60))
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .start();
    for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
      if (!one("postgres", "SHOW " + setting).equals("on")) {
        throw new IllegalStateException(setting + " is off: nothing would be durable");
      }
    }
  }

  int port() {
    return server.getPort();
  }

  void create(String database) throws SQLException {
    run("postgres", "CREATE DATABASE " + database);
  }

  static String jdbcUrl(int port, String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  static String url(int port, String database) {
    return "postgres://postgres@127.0.0.1:" + port + "/" + database;
  }

  Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(port(), database));
  }

  void run(String database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String one(String database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  long bytes(String database) throws SQLException {
    run(database, "CHECKPOINT");
    return Long.parseLong(one(database, "SELECT pg_database_size(current_database())"));
  }

  /** What the server says about its durability. */
  Map<String, String> settings() throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("version", one("postgres", "SHOW server_version"));
    for (String name :
        new String[] {
          "fsync", "synchronous_commit", "full_page_writes", "wal_sync_method", "shared_buffers"
        }) {
      settings.put(name, one("postgres", "SHOW " + name));
    }
    return settings;
  }

  @Override
  public void close() throws Exception {
    server.close();
  }
}
