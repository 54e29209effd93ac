package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Answers a head that is no HTTP, or too long, with a problem, and closes the connection: Vert.x
 * would answer with the status alone, before any handler of a route sees the request.
 */
final class UnreadableHeads extends ChannelInboundHandlerAdapter {
  private static final int LINGER_MILLIS = 1_000;

  /** A request came before: it may not be answered yet, and Vert.x keeps the order of answers. */
  private boolean served;

  private boolean over;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (!over && message instanceof HttpRequest head) {
      if (head.decoderResult().isFailure() && !served) {
        over = true;
        refuse(context, status(head.decoderResult().cause()));
      }
      served = true;
    }
    if (over) {
      ReferenceCountUtil.release(message);
    } else {
      super.channelRead(context, message);
    }
  }

  private static int status(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return 414;
    }
    return cause instanceof TooLongHttpHeaderException ? 431 : 400;
  }

  private static void refuse(ChannelHandlerContext context, int status) {
    Problem problem = HttpProblems.of(status).orElseThrow();
    byte[] body = BodyLimit.json(problem).getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(body));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    context.writeAndFlush(response).addListener(written -> endOfAnswers(context));
  }

  /** What the client still sends is read away for a while: else its line is cut with the answer. */
  private static void endOfAnswers(ChannelHandlerContext context) {
    if (context.channel() instanceof SocketChannel socket && socket.isActive()) {
      socket.shutdownOutput();
      context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      context.close();
    }
  }

  /**
   * Puts the handler behind the encoder of HTTP/1, which is not there before the first bytes have
   * told Vert.x that this is no HTTP/2: so they are handed on one by one. Over TLS it may come with
   * any byte, and what comes in one piece with it is judged by Vert.x.
   */
  static final class Placing extends ChannelInboundHandlerAdapter {
    /** "PRI * HTTP/2.0", two empty lines, "SM". */
    private static final int HTTP2_PREFACE_BYTES = 24;

    private int passed;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      boolean placed = place(context);
      if (!placed && message instanceof ByteBuf bytes && !isEncrypted(context)) {
        while (!placed && passed < HTTP2_PREFACE_BYTES && bytes.readableBytes() > 1) {
          passed++;
          context.fireChannelRead(bytes.readRetainedSlice(1));
          placed = place(context);
        }
      }
      if (placed || passed == HTTP2_PREFACE_BYTES) {
        context.pipeline().remove(this);
      }
      context.fireChannelRead(message);
    }

    private static boolean isEncrypted(ChannelHandlerContext context) {
      return context.pipeline().get(SslHandler.class) != null;
    }

    private static boolean place(ChannelHandlerContext context) {
      ChannelHandlerContext encoder = context.pipeline().context(HttpResponseEncoder.class);
      if (encoder != null) {
        context.pipeline().addAfter(encoder.name(), null, new UnreadableHeads());
      }
      return encoder != null;
    }
  }
}
