package dev.steadfast.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection on which the head of a request has begun to arrive and does not end: a byte
 * now and then would keep it open forever, since it is never idle. Sits before everything else in
 * the pipeline and knows no HTTP; {@link HeadDeadlines} tells it when a request is there, and when
 * it is answered. It also tells {@link Connections} what becomes of the connection. Used by the
 * event loop of the connection only.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {
  static final AttributeKey<HeadDeadline> OF_CHANNEL = AttributeKey.valueOf("steadfast.head");

  private enum State {
    SILENT,
    HEAD_BEGUN,
    REQUEST
  }

  private final Duration most;
  private final Connections connections;
  private State state = State.SILENT;
  private Future<?> deadline;
  private int requests;
  private int inProgress;

  HeadDeadline(Duration most, Connections connections) {
    this.most = most;
    this.connections = connections;
  }

  /** That of this connection; there is none in dev mode. */
  static Optional<HeadDeadline> of(Channel channel) {
    return Optional.ofNullable(channel.attr(OF_CHANNEL).get());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    Channel channel = context.channel();
    channel.closeFuture().addListener(closed -> connections.closed(channel));
    connections.opened(channel).ifPresent(Channel::close);
    super.channelActive(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    if (state == State.SILENT) {
      state = State.HEAD_BEGUN;
      deadline =
          context.executor().schedule(() -> late(context), most.toMillis(), TimeUnit.MILLISECONDS);
    }
    super.channelRead(context, bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    stop();
    super.channelInactive(context);
  }

  /**
   * A client that resets its connection before its first bytes tell its protocol is no news; later
   * on, Vert.x decides.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
    if (state != State.REQUEST && requests == 0 && cause instanceof IOException) {
      context.close();
    } else {
      super.exceptionCaught(context, cause);
    }
  }

  /**
   * The head of a request is complete.
   *
   * @return the number of the request on this connection
   */
  int arrived(Channel channel) {
    stop();
    state = State.REQUEST;
    inProgress++;
    connections.arrived(channel);
    return ++requests;
  }

  /** What arrived was the rest of a request that is answered, and no head. */
  void bodyEnded() {
    if (state == State.HEAD_BEGUN) {
      stop();
      state = State.SILENT;
    }
  }

  /** This request is answered. Another one may be there already, if it was sent ahead. */
  void answered(Channel channel, int request) {
    if (request == requests) {
      state = State.SILENT;
    }
    connections.ended();
    inProgress--;
    if (inProgress == 0) {
      connections.idle(channel);
    }
  }

  private void late(ChannelHandlerContext context) {
    if (state == State.HEAD_BEGUN) {
      context.close();
    }
  }

  private void stop() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
