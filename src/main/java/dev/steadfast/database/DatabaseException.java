package dev.steadfast.database;

import java.sql.SQLException;

/**
 * What a store throws when SQL fails. Unchecked on purpose: a checked exception that leaves a
 * {@code @Transactional} method commits the transaction.
 */
public class DatabaseException extends RuntimeException {
  public DatabaseException(SQLException cause) {
    super(cause.getMessage(), cause);
  }
}
