package dev.steadfast.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tells when a request is over: its answer is written, or nobody is there to read it. Vert.x tells
 * nobody of the end of an answer that was reset, as is done when one of its parts cannot be
 * written; so the connection is asked, too.
 */
public final class Answered {
  private static final String NAME = Answered.class.getName();

  private List<Runnable> open = new ArrayList<>();
  private boolean over;
  private boolean working;

  private Answered() {}

  /** Watches a request; to be called on its event loop, before anything can end it. */
  static Answered watch(RoutingContext request) {
    Answered answered = new Answered();
    request.put(NAME, answered);
    if (request.request().connection() instanceof ConnectionBase connection) {
      Channel channel = connection.channel();
      ChannelFutureListener over = gone -> answered.end(true);
      channel.closeFuture().addListener(over);
      answered.then(() -> channel.closeFuture().removeListener(over));
    }
    request.addEndHandler(end -> answered.end(true));
    return answered;
  }

  /** The one that watches this request. */
  static Answered of(RoutingContext request) {
    return request.get(NAME);
  }

  /** Does this once the request is over, on any thread; at once if it is over already. */
  void then(Runnable release) {
    synchronized (this) {
      if (open != null) {
        open.add(release);
        return;
      }
    }
    release.run();
  }

  /**
   * Works for this request, which is not over before the work is: a client that hangs up and
   * repeats would get another turn while the database is still busy with the last one.
   *
   * @throws RuntimeException if nobody is there any more to read the answer
   */
  <T> T during(Supplier<T> work) {
    synchronized (this) {
      if (over) {
        throw Busy.pod();
      }
      working = true;
    }
    try {
      return work.get();
    } finally {
      end(false);
    }
  }

  private void end(boolean ofRequest) {
    List<Runnable> all;
    synchronized (this) {
      over |= ofRequest;
      working &= ofRequest;
      if (!over || working) {
        return;
      }
      all = open;
      open = null;
    }
    if (all != null) {
      all.forEach(Runnable::run);
    }
  }
}
