package dev.steadfast.limits;

import dev.steadfast.start.Settings;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;

/**
 * Gives every connection its {@link HeadDeadline}. Vert.x has no time limit for the head of a
 * request, so Netty's own hook for accepted channels is used; it finds the class by {@code
 * META-INF/services} and only if a system property allows it, which is set before the port opens.
 */
@ApplicationScoped
public class HeadDeadlines {
  private static final String ALLOWED = "io.netty.bootstrap.extensions";

  /** Before all other handlers. */
  private static final int PRIORITY = 10_000;

  private static volatile Duration most;

  /** Netty's hook. */
  public static final class Hook extends ChannelInitializerExtension {
    @Override
    public void postInitializeServerChildChannel(Channel channel) {
      if (most != null) {
        HeadDeadline deadline = new HeadDeadline(most);
        channel.attr(HeadDeadline.OF_CHANNEL).set(deadline);
        channel.pipeline().addFirst(deadline);
      }
    }
  }

  void allow(@Observes StartupEvent start, Settings settings) {
    most = settings.limits().headTime();
    System.setProperty(ALLOWED, "serviceload");
  }

  void filters(@Observes Filters filters) {
    filters.register(HeadDeadlines::arrived, PRIORITY);
  }

  private static void arrived(RoutingContext request) {
    if (request.request().connection() instanceof ConnectionBase connection) {
      HeadDeadline deadline = connection.channel().attr(HeadDeadline.OF_CHANNEL).get();
      if (deadline != null) {
        int number = deadline.arrived();
        // Requests share a connection of HTTP/2: its frames have no time of their own.
        if (request.request().version() != HttpVersion.HTTP_2) {
          EventLoop loop = connection.channel().eventLoop();
          request.addEndHandler(end -> loop.execute(() -> deadline.answered(number)));
        }
      }
    }
    request.next();
  }
}
