package dev.steadfast.bench;

import java.util.List;

/** Somebody who takes pushes and answers pulls. */
interface Contender extends AutoCloseable {
  String name();

  /** Prepares what a person needs before the first push. */
  default void admit(String user) throws Exception {}

  /** Whether the model of this contender knows such an answer at all. */
  default boolean can(Expect expect) {
    return true;
  }

  /** A push, encoded as a device would have it before it sends it. */
  Push push(String user, List<Op> batch, Expect expect) throws Exception;

  /**
   * Reads everything that a person has.
   *
   * @return how many rows, or messages where there are no rows
   */
  default long pullAll(String user) throws Exception {
    throw new UnsupportedOperationException(name());
  }

  /** Reads what is new since the last {@link #pullAll}: nothing. */
  default long pullNothing(String user) throws Exception {
    throw new UnsupportedOperationException(name());
  }

  /** The process that serves; null if there is none. */
  default ServerProcess process() {
    return null;
  }

  /** How many bytes on the disk this contender has. */
  long bytesOnDisk() throws Exception;

  @Override
  void close() throws Exception;

  /** A push that is ready to be sent. Only {@link #send} is measured. */
  interface Push {
    void send() throws Exception;

    /** Throws if the answer was not the expected one for every operation. */
    void check();
  }
}
