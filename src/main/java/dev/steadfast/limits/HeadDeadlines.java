package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.start.Settings;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;

/**
 * Gives every connection its {@link HeadDeadline}, and every request its {@link Answered}. Vert.x
 * has no time limit for the head of a request, so Netty's own hook for accepted channels is used;
 * it finds the class by {@code META-INF/services} and only if a system property allows it, which is
 * set before the port opens.
 */
@ApplicationScoped
public class HeadDeadlines {
  private static final String ALLOWED = "io.netty.bootstrap.extensions";

  /** Before all other handlers. */
  private static final int PRIORITY = 10_000;

  private static final int LEAST_READ = 64;
  private static final int FIRST_READ = 2_048;
  private static final int MOST_READ = 8_192;
  private static final int READS_AT_ONCE = 16;

  /** What Netty's hook, which is no bean, gives to each connection. */
  private record Given(Duration most, Connections connections) {}

  private static volatile Given given;

  /** Netty's hook. */
  public static final class Hook extends ChannelInitializerExtension {
    @Override
    public void postInitializeServerChildChannel(Channel channel) {
      Given now = given;
      if (now != null) {
        HeadDeadline deadline = new HeadDeadline(now.most, now.connections);
        channel.attr(HeadDeadline.OF_CHANNEL).set(deadline);
        channel.pipeline().addFirst(deadline, new Http1Handlers());
        channel.config().setRecvByteBufAllocator(reads());
      }
    }
  }

  /** What a connection has sent is held in up to two reads, see {@link Pipelining}. */
  private static RecvByteBufAllocator reads() {
    return new AdaptiveRecvByteBufAllocator(LEAST_READ, FIRST_READ, MOST_READ)
        .maxMessagesPerRead(READS_AT_ONCE);
  }

  void allow(@Observes StartupEvent start, Settings settings, Connections connections) {
    given = new Given(settings.limits().headTime(), connections);
    System.setProperty(ALLOWED, "serviceload");
  }

  void filters(@Observes Filters filters) {
    filters.register(HeadDeadlines::arrived, PRIORITY);
  }

  private static void arrived(RoutingContext request) {
    Answered over = Answered.watch(request);
    if (request.request().connection() instanceof ConnectionBase connection) {
      Channel channel = connection.channel();
      HeadDeadline deadline = HeadDeadline.of(channel).orElse(null);
      if (deadline != null) {
        int number = deadline.arrived(channel);
        EventLoop loop = channel.eventLoop();
        over.then(() -> loop.execute(() -> deadline.answered(channel, number)));
      }
    }
    if (hasTooManyHeaders(request)) {
      BodyLimit.answer(request, HttpProblems.of(431).orElseThrow());
      return;
    }
    request.next();
  }

  private static boolean hasTooManyHeaders(RoutingContext request) {
    // Their size() is that of a set of names.
    int[] count = {0};
    request.request().headers().forEach((name, value) -> count[0]++);
    return count[0] > Pipelining.MOST_HEADERS;
  }
}
