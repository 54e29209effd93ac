package dev.steadfast.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Lets the requests of one connection of HTTP/1 in one by one. A client may send requests ahead of
 * the answers, and Vert.x decodes and queues as many as arrive: a few megabytes of small requests
 * would fill the heap. Here the next request is decoded once the answer before it is with the
 * client, and nothing is read from a connection that has sent ahead; at most one request and two
 * reads of it are held. It also answers what cannot be read, or has too many lines.
 *
 * <p>Sits between the decoder of requests and Vert.x; its {@link Gate} sits before the decoder.
 * Used by the event loop of the connection only.
 */
final class Pipelining extends ChannelDuplexHandler {
  /** Each header takes some 100 bytes of heap, however short it is. */
  static final int MOST_HEADERS = 100;

  /** They, and the line of the request. */
  private static final int MOST_LINES = MOST_HEADERS + 1;

  /** RFC 9110, section 9.3, and PATCH. */
  private static final Set<HttpMethod> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.POST,
          HttpMethod.PUT,
          HttpMethod.PATCH,
          HttpMethod.DELETE,
          HttpMethod.OPTIONS,
          HttpMethod.CONNECT,
          HttpMethod.TRACE);

  private static final byte LINE_FEED = '\n';

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

  /** Its answer has begun; it may be whole. */
  private boolean answering;

  /** Lines since anything was decoded: of a head, or of trailers, that may never end. */
  private int lines;

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
    lines = 0;
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
      refuse(context, fault);
    }
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest) {
      unanswered = true;
      arriving = true;
      answering = false;
    }
    if (message instanceof LastHttpContent) {
      arriving = false;
      if (!unanswered) {
        HeadDeadline.of(context.channel()).ifPresent(HeadDeadline::bodyEnded);
      }
    }
    context.fireChannelRead(message);
  }

  /** Answers the present request, if its answer has not begun, and closes the connection. */
  private void refuse(ChannelHandlerContext context, Throwable fault) {
    refused = true;
    if (arriving && answering) {
      context.flush();
      context.close();
    } else {
      UnreadableRequest.refuse(context, fault);
    }
  }

  /** Why this part of a request cannot be read; null if it can. */
  private static Throwable fault(Object message) {
    if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
      Throwable cause = part.decoderResult().cause();
      // The line of a chunk is no address.
      return cause instanceof TooLongHttpLineException && !(message instanceof HttpRequest)
          ? new DecoderException(cause)
          : cause;
    }
    return message instanceof HttpRequest head ? faultOfHead(head) : null;
  }

  /** What the decoder lets pass. */
  private static Throwable faultOfHead(HttpRequest head) {
    HttpVersion version = head.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      return new DecoderException("another version of HTTP");
    }
    if (!METHODS.contains(head.method())) {
      // Each new one would be a name of its own in the metrics, forever.
      return new DecoderException("a method that HTTP does not know");
    }
    if (head.headers().contains("")) {
      return new DecoderException("a header without a name");
    }
    if (head.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
      return new DecoderException("more than one host");
    }
    // Others end a body elsewhere than a proxy may think.
    List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.size() > 1
        || codings.size() == 1
            && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0))) {
      return new DecoderException("a transfer coding other than chunked");
    }
    try {
      // As Quarkus judges addresses, before any handler; its answer has no body.
      new URI(head.uri());
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
    private boolean passing;

    private Gate() {}

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object bytes) throws Exception {
      held.add(bytes);
      pass();
      if (isHolding()) {
        stopReading();
      }
    }

    private void pass() {
      passing = true;
      passAll();
      passing = false;
    }

    /** Passes on what is held, a hundred lines at a time, as long as it is let in. */
    private void passAll() {
      while (isHolding() && !isClosed()) {
        if (refused) {
          // The decoder would keep the lines of a head that never ends.
          ReferenceCountUtil.release(held.remove());
          continue;
        }
        if (!(held.element() instanceof ByteBuf bytes)) {
          context.fireChannelRead(held.remove());
          continue;
        }
        int from = bytes.readerIndex();
        int to = from;
        int count = 0;
        int found = bytes.indexOf(from, bytes.writerIndex(), LINE_FEED);
        while (found >= 0 && count < MOST_LINES) {
          count++;
          to = found + 1;
          found = bytes.indexOf(to, bytes.writerIndex(), LINE_FEED);
        }
        lines += count;
        if (found < 0) {
          context.fireChannelRead(held.remove());
        } else {
          context.fireChannelRead(bytes.readRetainedSlice(to - from));
        }
        if (lines > MOST_LINES && !refused) {
          refuse(
              context.pipeline().context(Pipelining.this), new TooLongHttpHeaderException("lines"));
        }
      }
    }

    /** Vert.x, too, stops and starts reading. */
    @Override
    public void read(ChannelHandlerContext here) throws Exception {
      if (held.isEmpty() || passing) {
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
      pass();
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
