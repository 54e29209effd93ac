package dev.steadfast.core;

import java.util.Map;

/**
 * One edit of one row, named by the device that made it.
 *
 * @param opId the name, given at birth: 1 … 200 UTF-16 units, unique for the person
 * @param rowId the row it edits: 1 … 200 UTF-16 units
 * @param fields the values it sets, by field name, as received
 * @param at the device's time of the edit, in milliseconds since 1970, 0 … 2^53 − 1
 * @param schema the version of the row contract the device knew when it made the edit
 * @param fingerprint a short hash of what the operation says, see {@link Fingerprint}
 */
public record Operation(
    String opId,
    String rowId,
    Map<String, FieldValue> fields,
    long at,
    long schema,
    long fingerprint) {

  /** The mark that this operation leaves on each field it wins. */
  public Mark mark() {
    return new Mark(at, opId);
  }
}
