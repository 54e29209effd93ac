package dev.steadfast.limits;

import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/** Tells when a request is over: its answer is written, or nobody is there to read it. */
public final class Answered {
  private static final String NAME = Answered.class.getName();

  private List<Runnable> open = new ArrayList<>();

  private Answered() {}

  /** Watches a request; to be called on its event loop, before anything can end it. */
  static void watch(RoutingContext request) {
    Answered answered = new Answered();
    request.put(NAME, answered);
    request.addEndHandler(end -> answered.end());
  }

  /** The one that watches this request. */
  static Answered of(RoutingContext request) {
    return request.get(NAME);
  }

  /** Does this once the request is over; at once if it is over already. */
  void then(Runnable release) {
    synchronized (this) {
      if (open != null) {
        open.add(release);
        return;
      }
    }
    release.run();
  }

  private void end() {
    List<Runnable> all;
    synchronized (this) {
      all = open;
      open = null;
    }
    if (all != null) {
      all.forEach(Runnable::run);
    }
  }
}
