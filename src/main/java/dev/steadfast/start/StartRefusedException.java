package dev.steadfast.start;

/** The service will not start as it is set up. The message says which setting to change. */
public class StartRefusedException extends RuntimeException {
  StartRefusedException(String message) {
    super("The service refuses to start. " + message, null, false, false);
  }
}
