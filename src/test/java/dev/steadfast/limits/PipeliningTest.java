package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out behind the gate against what Netty's decoder makes of the same bytes. */
class PipeliningTest {
  private static final Charset UTF8 = StandardCharsets.UTF_8;

  /** Stands in for Vert.x: remembers what arrives, and answers when it is told to. */
  private static final class Server extends ChannelInboundHandlerAdapter {
    private final List<String> requests = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();
    private ChannelHandlerContext context;
    private String head;
    private int unanswered;
    private int mostUnanswered;
    private boolean answersAtOnce;
    private Throwable failure;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
      if (message instanceof HttpRequest request) {
        head = request.method() + " " + request.uri();
        unanswered++;
        mostUnanswered = Math.max(mostUnanswered, unanswered);
      }
      if (message instanceof HttpContent content) {
        body.append(content.content().toString(UTF8));
      }
      if (message instanceof LastHttpContent) {
        requests.add(head + " " + body);
        body.setLength(0);
      }
      ReferenceCountUtil.release(message);
      if (answersAtOnce && message instanceof LastHttpContent) {
        answer(false, 1);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
      failure = cause;
    }

    private void answer(boolean continued, int pieces) {
      unanswered--;
      if (continued) {
        context.writeAndFlush(response(100));
      }
      if (pieces == 1) {
        context.writeAndFlush(response(200));
        return;
      }
      HttpResponse begun = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      begun.headers().set(HttpHeaderNames.CONTENT_LENGTH, pieces - 1);
      context.writeAndFlush(begun);
      for (int i = 1; i < pieces; i++) {
        context.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer("a", UTF8)));
      }
      context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    private static FullHttpResponse response(int status) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      return response;
    }
  }

  private Server server = new Server();

  private EmbeddedChannel channel() {
    HttpRequestDecoder decoder = new HttpRequestDecoder();
    Pipelining pipelining = new Pipelining(decoder);
    return new EmbeddedChannel(
        pipelining.gate(), decoder, new HttpResponseEncoder(), pipelining, server);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void theSameRequestsArriveAndNeverMoreThanOneIsUnanswered(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      server = new Server();
      server.answersAtOnce = random.nextInt(4) == 0;
      List<String> expected = new ArrayList<>();
      byte[] bytes = requests(random, expected).getBytes(UTF8);
      EmbeddedChannel channel = channel();
      int sent = 0;
      while (sent < bytes.length || server.unanswered > 0) {
        boolean mayRead = channel.config().isAutoRead();
        if (sent < bytes.length && mayRead && (server.unanswered == 0 || random.nextBoolean())) {
          int size = Math.min(bytes.length - sent, 1 + random.nextInt(1 << random.nextInt(12)));
          channel.writeInbound(Unpooled.copiedBuffer(bytes, sent, size));
          sent += size;
        } else if (server.unanswered > 0) {
          server.answer(random.nextInt(8) == 0, 1 + random.nextInt(4));
          channel.runPendingTasks();
        } else {
          assertThat(mayRead).as("seed %d, round %d", seed, round).isTrue();
        }
        channel.outboundMessages().forEach(ReferenceCountUtil::release);
        channel.outboundMessages().clear();
      }
      assertThat(server.requests).as("seed %d, round %d", seed, round).isEqualTo(expected);
      assertThat(server.mostUnanswered).isEqualTo(1);
      assertThat(channel.config().isAutoRead()).isTrue();
      channel.finishAndReleaseAll();
    }
  }

  private static String requests(Random random, List<String> expected) {
    StringBuilder all = new StringBuilder();
    int count = 1 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      String body = "b".repeat(random.nextInt(1 + random.nextInt(3_000)));
      switch (random.nextInt(3)) {
        case 0 -> {
          body = "";
          all.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
          expected.add("GET /" + i + " ");
        }
        case 1 -> {
          all.append("POST /").append(i).append(" HTTP/1.1\r\nContent-Length: ");
          all.append(body.length()).append("\r\n\r\n").append(body);
          expected.add("POST /" + i + " " + body);
        }
        default -> {
          all.append("PUT /").append(i).append(" HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
          if (!body.isEmpty()) {
            all.append(Integer.toHexString(body.length())).append("\r\n").append(body);
            all.append("\r\n");
          }
          all.append("0\r\n\r\n");
          expected.add("PUT /" + i + " " + body);
        }
      }
    }
    return all.toString();
  }

  @Test
  void whatIsSentAheadIsNeitherDecodedNorRead() {
    EmbeddedChannel channel = channel();
    String get = "GET / HTTP/1.1\r\n\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(get.repeat(1_000), UTF8));
    assertThat(server.unanswered).isEqualTo(1);
    channel.writeInbound(Unpooled.copiedBuffer(get, UTF8));
    assertThat(channel.config().isAutoRead()).isFalse();
    channel.config().setAutoRead(true);
    assertThat(channel.config().isAutoRead()).as("whoever starts it").isFalse();
    for (int i = 0; i < 1_001; i++) {
      server.answer(false, 1);
      channel.runPendingTasks();
    }
    assertThat(server.requests).hasSize(1_001);
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void anAnswerThatTheClientDoesNotTakeLetsNothingIn() {
    List<ChannelPromise> kept = new ArrayList<>();
    EmbeddedChannel channel = channel();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext here, Object message, ChannelPromise sent) {
                ReferenceCountUtil.release(message);
                kept.add(sent);
              }
            });
    server.answersAtOnce = true;
    channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n".repeat(10), UTF8));
    channel.runPendingTasks();
    assertThat(server.requests).hasSize(1);
    for (int i = 0; i < kept.size(); i++) {
      kept.get(i).setSuccess();
      channel.runPendingTasks();
    }
    assertThat(server.requests).hasSize(10);
    channel.finishAndReleaseAll();
  }

  @Test
  void whatCannotBeReadIsAnsweredInItsTurn() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(
        Unpooled.copiedBuffer("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/nine\r\n\r\nGET /3", UTF8));
    assertThat(channel.<Object>readOutbound()).isNull();
    channel.writeInbound(Unpooled.copiedBuffer("a".repeat(100_000), UTF8));
    assertThat(channel.config().isAutoRead()).isFalse();
    server.answer(true, 3);
    channel.runPendingTasks();
    assertThat(written(channel))
        .matches("(?s)HTTP/1.1 100 .*HTTP/1.1 200 .*\r\n\r\naaHTTP/1.1 400 .*BAD_REQUEST.*");
    assertThat(server.requests).containsExactly("GET /1 ");
    assertThat(channel.config().isAutoRead()).as("what follows is read away").isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void anAddressThatIsNoneIsAnsweredInItsTurn() {
    EmbeddedChannel channel = channel();
    String ahead = "GET /1 HTTP/1.1\r\n\r\nGET /%zz HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(ahead.repeat(2), UTF8));
    server.answer(false, 1);
    channel.runPendingTasks();
    assertThat(written(channel)).matches("(?s)HTTP/1.1 200 .*HTTP/1.1 400 .*BAD_REQUEST.*");
    assertThat(server.requests).containsExactly("GET /1 ");
    channel.finishAndReleaseAll();
  }

  @Test
  void aBodyThatCannotBeReadIsAnsweredOnce() {
    EmbeddedChannel channel = channel();
    String head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(head + "3\r\nabc\r\nzz\r\n", UTF8));
    server.answer(false, 2);
    assertThat(written(channel)).startsWith("HTTP/1.1 400 ").doesNotContain("HTTP/1.1 200");
    channel.finishAndReleaseAll();
  }

  @Test
  void anAnswerIsNotFollowedByAnother() {
    EmbeddedChannel channel = channel();
    String head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(head, UTF8));
    server.answer(false, 2);
    channel.writeInbound(Unpooled.copiedBuffer("zz\r\n", UTF8));
    assertThat(written(channel)).startsWith("HTTP/1.1 200 ").doesNotContain("HTTP/1.1 400");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void linesWithoutEndAreCutOff() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n", UTF8));
    for (int i = 0; i < 100; i++) {
      channel.writeInbound(Unpooled.copiedBuffer("a:\r\n", UTF8));
    }
    assertThat(channel.<Object>readOutbound()).isNull();
    channel.writeInbound(Unpooled.copiedBuffer("a:\r\n", UTF8));
    assertThat(written(channel)).startsWith("HTTP/1.1 431 ");
    channel.finishAndReleaseAll();
  }

  @Test
  void theEndOfTheConnectionIsToldOnlyIfAnAnswerIsMissing() {
    for (int answers = 0; answers <= 1; answers++) {
      server = new Server();
      EmbeddedChannel channel = channel();
      channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n".repeat(3), UTF8));
      for (int i = 0; i < 3 * answers; i++) {
        server.answer(false, 1);
        channel.runPendingTasks();
      }
      channel.finishAndReleaseAll();
      assertThat(server.failure != null).isEqualTo(answers == 0);
      assertThat(server.requests).hasSize(answers == 0 ? 1 : 3);
    }
  }

  private static String written(EmbeddedChannel channel) {
    StringBuilder all = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      all.append(next.toString(UTF8));
      next.release();
    }
    return all.toString();
  }
}
