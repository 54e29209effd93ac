package dev.steadfast.sync;

/** A push body that is not JSON, or not of the shape of a batch: the whole request is refused. */
class MalformedBodyException extends RuntimeException {
  private final String pointer;

  /**
   * @param pointer where, as an RFC 6901 pointer; empty for the body as a whole
   * @param detail what is wrong, for a person, without any part of the body
   */
  MalformedBodyException(String pointer, String detail) {
    super(detail, null, false, false);
    this.pointer = pointer;
  }

  String pointer() {
    return pointer;
  }
}
