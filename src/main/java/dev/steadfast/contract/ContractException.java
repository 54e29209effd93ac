package dev.steadfast.contract;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * A row contract that cannot be used. It stops the start: with it, nothing could be judged. Quarkus
 * prints the message alone, without a stack trace.
 */
public class ContractException extends ConfigurationException {

  /**
   * @param location the file, as {@code steadfast.contract.location} names it
   * @param place where in the file: a JSON pointer, or a line and column; empty for the whole file
   * @param fault what is wrong there
   */
  ContractException(String location, String place, String fault) {
    super(
        "The row contract "
            + location
            + " (setting steadfast.contract.location) cannot be used"
            + (place.isEmpty() ? "" : ", at " + place)
            + ": "
            + fault);
  }
}
