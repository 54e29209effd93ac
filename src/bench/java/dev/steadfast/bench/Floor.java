package dev.steadfast.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * What the database alone costs: the statements of a push and of a pull over bare JDBC, in the same
 * transaction of the same round trips, with every argument made beforehand. No HTTP, no JSON, no
 * judging.
 */
final class Floor implements Contender {
  private static final int CONNECTIONS = 20;
  private static final int PAGE = 1_000;

  private final String name;
  private final Lab lab;
  private final String database;
  private final List<String> push;
  private final String pull;

  /** The connection used last is taken first: its statements are prepared. */
  private final BlockingDeque<Connection> pool = new LinkedBlockingDeque<>();

  private final Map<String, FloorState> people = new ConcurrentHashMap<>();

  /** Takes a database whose tables the service has made. */
  Floor(String name, Lab lab, String database, int port) throws Exception {
    this.name = name;
    this.lab = lab;
    this.database = database;
    push = StoreSql.of(lab.project(), "PushStore", 4);
    pull = StoreSql.of(lab.project(), "PullStore", 1).get(0);
    for (int i = 0; i < CONNECTIONS; i++) {
      Connection connection = DriverManager.getConnection(Postgres.jdbcUrl(port, database));
      connection.setAutoCommit(false);
      pool.add(connection);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Push push(String user, List<Op> batch, Expect expect) {
    FloorState state = people.computeIfAbsent(user, FloorState::new);
    FloorState.Arguments arguments = state.arguments(batch, expect);
    return new Push() {
      private int remembered;
      private int known;

      @Override
      public void send() throws Exception {
        Connection connection = pool.take();
        try {
          lock(connection, user);
          known = read(connection, user, arguments);
          if (expect != Expect.REPEATED) {
            remembered = remember(connection, user, arguments);
          }
          if (expect == Expect.NEW) {
            write(connection, user, arguments);
          }
          connection.commit();
        } finally {
          pool.addFirst(connection);
        }
      }

      @Override
      public void check() {
        int right = expect == Expect.REPEATED ? known : remembered;
        if (right < batch.size()) {
          throw new IllegalStateException(right + " verdicts instead of " + batch.size());
        }
      }
    };
  }

  private void lock(Connection connection, String user) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(push.get(0))) {
      statement.setString(1, "3000");
      statement.setString(2, "10000");
      statement.setString(3, "10000");
      statement.setString(4, user);
      count(statement);
    }
  }

  private int read(Connection connection, String user, FloorState.Arguments arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(push.get(1))) {
      statement.setString(1, user);
      java.sql.Array opIds = connection.createArrayOf("text", arguments.opIds());
      statement.setString(1, user);
      statement.setArray(2, opIds);
      statement.setArray(3, opIds);
      statement.setArray(4, connection.createArrayOf("text", arguments.rowIds()));
      statement.setString(5, user);
      return count(statement);
    }
  }

  private int remember(Connection connection, String user, FloorState.Arguments arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(push.get(2))) {
      statement.setString(1, user);
      statement.setArray(2, connection.createArrayOf("text", arguments.opIds()));
      statement.setArray(3, connection.createArrayOf("text", arguments.statuses()));
      statement.setArray(4, connection.createArrayOf("text", arguments.reasons()));
      statement.setArray(5, connection.createArrayOf("text", arguments.codes()));
      statement.setArray(6, connection.createArrayOf("bigint", arguments.fingerprints()));
      return count(statement);
    }
  }

  private void write(Connection connection, String user, FloorState.Arguments arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(push.get(3))) {
      statement.setLong(1, arguments.seq());
      statement.setString(2, user);
      statement.setArray(3, connection.createArrayOf("text", arguments.rowIds()));
      statement.setArray(4, connection.createArrayOf("text", arguments.fields()));
      statement.setArray(5, connection.createArrayOf("text", arguments.marks()));
      statement.setArray(6, connection.createArrayOf("bigint", arguments.seqs()));
      statement.executeUpdate();
    }
  }

  private static int count(PreparedStatement statement) throws SQLException {
    int count = 0;
    try (ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        for (int i = 1; i <= columns; i++) {
          result.getString(i);
        }
        count++;
      }
    }
    return count;
  }

  @Override
  public long pullAll(String user) throws Exception {
    long rows = 0;
    long cursor = 0;
    long[] page;
    do {
      page = pull(user, cursor);
      rows += page[0];
      cursor = page[1];
    } while (page[0] == PAGE);
    people.computeIfAbsent(user, FloorState::new).readTo(cursor);
    return rows;
  }

  @Override
  public long pullNothing(String user) throws Exception {
    return pull(user, people.computeIfAbsent(user, FloorState::new).cursor())[0];
  }

  /** How many rows, and the number of the last one. */
  private long[] pull(String user, long cursor) throws Exception {
    Connection connection = pool.take();
    try (PreparedStatement statement = connection.prepareStatement(pull)) {
      statement.setLong(1, cursor);
      statement.setInt(2, PAGE);
      statement.setInt(3, 2 << 20);
      statement.setString(4, user);
      long rows = 0;
      long last = cursor;
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          if (result.getString(3) != null) {
            result.getString(4);
            result.getString(5);
            last = result.getLong(6);
            rows++;
          }
        }
      }
      connection.commit();
      return new long[] {rows, last};
    } finally {
      pool.addFirst(connection);
    }
  }

  @Override
  public long bytesOnDisk() throws Exception {
    return lab.postgres().bytes(database);
  }

  @Override
  public void close() throws Exception {
    for (Connection connection : pool) {
      connection.close();
    }
  }
}
