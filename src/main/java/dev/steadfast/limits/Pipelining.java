package dev.steadfast.limits;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets the requests of one connection of HTTP/1 in one by one. A client may send requests ahead of
 * the answers, and Vert.x decodes and queues as many as arrive: a few megabytes of small requests
 * would fill the heap. Here the next request is decoded once the answer before it is with the
 * client, and nothing is read from a connection that has sent ahead; at most one request and two
 * reads of it are held. It also answers what cannot be read.
 *
 * <p>Sits between the decoder of requests and Vert.x; its {@link Gate} sits before the decoder.
 * Used by the event loop of the connection only.
 */
final class Pipelining extends ChannelDuplexHandler {
  private final HttpRequestDecoder decoder;
  private final Gate gate = new Gate();

  /** What was decoded before its turn: the head of the next request, and its end if it is short. */
  private final Queue<Object> ahead = new ArrayDeque<>(2);

  /** The decoder was stopped, and may hold more of what was sent ahead. */
  private boolean sentAhead;

  /** The answer to the last request is not with the client yet. */
  private boolean unanswered;

  /** The body of the last request has not arrived as a whole. */
  private boolean arriving;

  /** The head of its answer is written, the end is not. */
  private boolean answering;

  /** What could not be read is answered, and nothing else may be. */
  private boolean refused;

  Pipelining(HttpRequestDecoder decoder) {
    this.decoder = decoder;
  }

  /** What holds back the bytes of the next requests; to be put before the decoder. */
  Gate gate() {
    return gate;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isClosed() || mustWait(message)) {
      ahead.add(message);
      sentAhead = true;
    } else {
      letIn(context, message);
    }
    decoder.setSingleDecode(isClosed());
  }

  private boolean mustWait(Object message) {
    return unanswered && !refused && message instanceof HttpRequest;
  }

  /** Whether the next request must wait. Behind what cannot be read, everything is read away. */
  private boolean isClosed() {
    return !refused && (!ahead.isEmpty() || unanswered && !arriving);
  }

  private void letIn(ChannelHandlerContext context, Object message) {
    Throwable fault = refused ? null : fault(message);
    if (fault != null) {
      refused = true;
      UnreadableRequest.refuse(context, fault);
    }
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest) {
      unanswered = true;
      arriving = true;
    }
    if (message instanceof LastHttpContent) {
      arriving = false;
    }
    context.fireChannelRead(message);
  }

  /** Why this part of a request cannot be read; null if it can, or if its answer has begun. */
  private Throwable fault(Object message) {
    if (message instanceof HttpRequest head && head.decoderResult().isSuccess()) {
      return faultOfAddress(head.uri());
    }
    return message instanceof HttpObject part
            && part.decoderResult().isFailure()
            && (message instanceof HttpRequest || unanswered && !answering)
        ? part.decoderResult().cause()
        : null;
  }

  /** As Quarkus judges addresses, before any handler; its answer has no body. */
  private static Throwable faultOfAddress(String uri) {
    try {
      new URI(uri);
      return null;
    } catch (URISyntaxException e) {
      return e;
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (refused) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
      return;
    }
    ChannelPromise written = promise;
    if (!isInformational(message)) {
      answering |= message instanceof HttpResponse;
      if (message instanceof LastHttpContent) {
        answering = false;
        written = promise.unvoid();
        written.addListener(done -> answered(context));
      }
    }
    super.write(context, message, written);
  }

  /** "100 Continue" answers nothing. */
  private static boolean isInformational(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void answered(ChannelHandlerContext context) {
    unanswered = false;
    decoder.setSingleDecode(isClosed());
    if (sentAhead || gate.isHolding()) {
      // Not at once: the decoder may be what calls.
      context.executor().execute(() -> goOn(context));
    }
  }

  /** The turn of the next request has come. */
  private void goOn(ChannelHandlerContext context) {
    if (context.isRemoved()) {
      return;
    }
    while (!ahead.isEmpty() && !mustWait(ahead.element())) {
      letIn(context, ahead.remove());
    }
    decoder.setSingleDecode(isClosed());
    sentAhead &= isClosed();
    gate.goOn();
  }

  /**
   * Vert.x tells nobody of the end of an answer that was reset, as RESTEasy does when a part of it
   * cannot be written, and the pod would wait for that answer when it stops. Of a failure it tells.
   */
  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    handlerRemoved(context);
    if (unanswered) {
      context.fireExceptionCaught(new IOException("The connection was closed."));
    }
    super.channelInactive(context);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    while (!ahead.isEmpty()) {
      ReferenceCountUtil.release(ahead.remove());
    }
  }

  /** Holds back what was sent ahead, and stops reading. */
  final class Gate extends ChannelDuplexHandler {
    private final Queue<Object> held = new ArrayDeque<>(1);
    private ChannelHandlerContext context;
    private boolean stopped;

    private Gate() {}

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object bytes) throws Exception {
      if (held.isEmpty() && !isClosed()) {
        super.channelRead(here, bytes);
      } else {
        held.add(bytes);
        stopReading();
      }
    }

    /** Vert.x, too, stops and starts reading. */
    @Override
    public void read(ChannelHandlerContext here) throws Exception {
      if (held.isEmpty()) {
        super.read(here);
      } else {
        stopReading();
      }
    }

    private void stopReading() {
      if (context.channel().config().isAutoRead()) {
        stopped = true;
        context.channel().config().setAutoRead(false);
      }
    }

    private boolean isHolding() {
      return !held.isEmpty();
    }

    private void goOn() {
      if (!isClosed()) {
        // The decoder goes on with what it holds itself.
        context.fireChannelRead(Unpooled.EMPTY_BUFFER);
      }
      while (isHolding() && !isClosed()) {
        context.fireChannelRead(held.remove());
      }
      context.fireChannelReadComplete();
      if (held.isEmpty() && stopped) {
        stopped = false;
        context.channel().config().setAutoRead(true);
      }
    }

    /** The connection is closed, or goes on with another protocol. */
    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
      while (isHolding()) {
        if (removed.channel().isActive()) {
          removed.fireChannelRead(held.remove());
        } else {
          ReferenceCountUtil.release(held.remove());
        }
      }
    }
  }
}
