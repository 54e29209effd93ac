package dev.steadfast.identity;

import org.jose4j.lang.UnresolvableKeyException;

/** Whether a token is good cannot be told now: its key may be published where nobody answers. */
class KeysAwayException extends UnresolvableKeyException {
  KeysAwayException(String location) {
    super("the keys cannot be read from " + location);
  }
}
