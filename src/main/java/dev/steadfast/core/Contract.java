package dev.steadfast.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The row contract as judging needs it: which fields exist, and what a row must satisfy. */
public interface Contract {

  /** The name of the boolean field that makes a row a tombstone. */
  String DELETED = "deleted";

  /** The newest {@code schema} of an operation that this server understands. */
  long version();

  /** The names of the fields that exist, in the order in which the contract lists them. */
  List<String> fields();

  /** Whether the contract names this field. */
  boolean names(String field);

  /**
   * Checks a whole row. Fields that the contract does not name are not looked at. A row whose
   * {@code deleted} is true is checked for the types of its values only.
   *
   * @return the one refusal a person will see, or empty if the row satisfies the contract
   */
  Optional<Refusal> violation(Map<String, FieldValue> row);

  /** The refusal of an operation dated too far ahead. */
  Refusal clockAhead();

  /** The refusal of an operation whose row would be too large. */
  Refusal rowTooLarge();
}
