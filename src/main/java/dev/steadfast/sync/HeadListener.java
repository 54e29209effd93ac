package dev.steadfast.sync;

import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Instant;

/** One open stream of events: a device that wants to know when its person's head moves. */
final class HeadListener {
  /** What is sent instead of a number when there was none for a while. */
  static final long STILL_HERE = -1;

  private static final long NOTHING = -1;

  private final MultiEmitter<? super Long> emitter;
  private final Instant expires;
  private long told = NOTHING;
  private Instant spoke = Instant.MIN;

  /**
   * @param emitter where the numbers go
   * @param expires when the token expires, and the stream with it
   */
  HeadListener(MultiEmitter<? super Long> emitter, Instant expires) {
    this.emitter = emitter;
    this.expires = expires;
  }

  /** Tells the number that the database holds, unless it was told last. */
  synchronized void tell(long seq) {
    if (seq != told) {
      told = seq;
      emitter.emit(seq);
      spoke = Instant.now();
    }
  }

  /** Breaks a silence that has lasted since {@code moment}, so that proxies keep the line. */
  synchronized void speakUnlessSince(Instant moment) {
    if (spoke.isBefore(moment) && told != NOTHING) {
      emitter.emit(STILL_HERE);
      spoke = Instant.now();
    }
  }

  /** Tells the number of a push on this pod, unless a later one was told already. */
  synchronized void tellMoved(long seq) {
    if (seq > told) {
      tell(seq);
    }
  }

  boolean hasExpired(Instant now) {
    return !now.isBefore(expires);
  }

  void end() {
    emitter.complete();
  }
}
