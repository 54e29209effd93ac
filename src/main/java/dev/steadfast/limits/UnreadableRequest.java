package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.Problem;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Answers a request that is no HTTP, or whose head is too long, with a problem, and closes the
 * connection: Vert.x would answer with the status alone, before any handler of a route sees it.
 */
final class UnreadableRequest {
  private static final int LINGER_MILLIS = 1_000;

  private UnreadableRequest() {}

  /** Answers it; nothing may be written after that. */
  static void refuse(ChannelHandlerContext context, Throwable cause) {
    int status = status(cause);
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

  private static int status(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return 414;
    }
    return cause instanceof TooLongHttpHeaderException ? 431 : 400;
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
}
