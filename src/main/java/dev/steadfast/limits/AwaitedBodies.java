package dev.steadfast.limits;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bodies that have begun to arrive and are not here yet. They may take an eighth of the
 * connections that a pod keeps: for one more, the one that has been awaited for longest is given
 * up, so that clients who send slowly keep nobody out. A body of usual size is here within
 * milliseconds.
 */
@ApplicationScoped
class AwaitedBodies {
  private static final int SHARE = 8;

  private final int most;

  /** What gives each one up; the eldest comes first. */
  private final Set<Runnable> awaited = new LinkedHashSet<>();

  AwaitedBodies(Connections connections) {
    most = Math.max(1, connections.most() / SHARE);
  }

  /**
   * A body is awaited.
   *
   * @param giveUp what is done if others need its place; may be called by any thread, once at most
   */
  void begin(Runnable giveUp) {
    Runnable eldest = null;
    synchronized (awaited) {
      awaited.add(giveUp);
      if (awaited.size() > most) {
        Iterator<Runnable> all = awaited.iterator();
        eldest = all.next();
        all.remove();
      }
    }
    if (eldest != null) {
      eldest.run();
    }
  }

  /** All that are awaited are given up. */
  void giveUpAll() {
    List<Runnable> all;
    synchronized (awaited) {
      all = List.copyOf(awaited);
      awaited.clear();
    }
    all.forEach(Runnable::run);
  }

  /** It is here, or nobody waits for it any more. */
  void end(Runnable giveUp) {
    synchronized (awaited) {
      awaited.remove(giveUp);
    }
  }
}
