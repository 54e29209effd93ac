package dev.steadfast.sync;

import java.util.HashSet;
import java.util.Set;

/**
 * The keys of one object of the envelope. A key twice is refused: of two values nobody can say
 * which was meant. Keys that the protocol does not know are ignored, so that a later protocol can
 * add some, but not without bound: each one is remembered to see it twice.
 */
final class EnvelopeKeys {
  private static final int MAX_KEYS = 64;

  private final Set<String> seen = new HashSet<>();

  /** Adds a key. Returns what is wrong with it, or null if nothing is. */
  String add(String key) {
    if (!seen.add(key)) {
      return "has a key twice";
    }
    return seen.size() > MAX_KEYS ? "has more than " + MAX_KEYS + " keys" : null;
  }

  void clear() {
    seen.clear();
  }
}
