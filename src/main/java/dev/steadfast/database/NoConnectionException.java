package dev.steadfast.database;

import java.sql.SQLException;

/**
 * No connection could be had: nothing was said to the database, and nothing is wrong with what was
 * asked. Always {@link DatabaseFailure#UNAVAILABLE}, whatever the pool and the driver say in
 * detail: for the same silent network they have many words, with any SQLState and with none.
 */
public class NoConnectionException extends DatabaseException {
  public NoConnectionException(SQLException cause) {
    super(cause);
  }
}
