package dev.steadfast.sync;

import dev.steadfast.core.Operation;
import java.util.List;

/**
 * A batch as received.
 *
 * @param operations what can be judged, in batch order, at most {@link #MAX_OPERATIONS}
 * @param count how many operations the batch has in all
 * @param end what follows the last of {@code operations}
 * @param malformed what is wrong with the next operation; null unless {@code end} is {@link
 *     End#MALFORMED}
 */
record PushBody(List<Operation> operations, long count, End end, MalformedBodyException malformed) {

  /** So many operations of a batch are judged; the device sends the rest again by itself. */
  static final int MAX_OPERATIONS = 1_000;

  /** Why the operations end where they do. */
  enum End {
    /** The batch has no more, or the limit is reached. */
    COMPLETE,
    /** The next one is of a newer schema, and of a shape that this server cannot even name. */
    AHEAD,
    /**
     * The next one is malformed, but stands after one of a newer schema: it matters only if that
     * one turns out to have its verdict already, so that judging gets this far.
     */
    MALFORMED
  }
}
