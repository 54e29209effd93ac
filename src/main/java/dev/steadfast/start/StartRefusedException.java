package dev.steadfast.start;

import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * The service will not start as it is set up. The message says which setting to change; Quarkus
 * prints it alone, without a stack trace.
 */
public class StartRefusedException extends ConfigurationException {

  /**
   * @param message which setting, what is wrong with it and what to do
   */
  public StartRefusedException(String message) {
    super("The service refuses to start. " + message);
    setStackTrace(new StackTraceElement[0]);
  }
}
