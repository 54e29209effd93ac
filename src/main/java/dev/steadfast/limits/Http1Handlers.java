package dev.steadfast.limits;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.SslHandler;

/**
 * Puts {@link Pipelining} around the decoder of HTTP/1, which is not there before the first bytes
 * have told Vert.x that this is no HTTP/2: so they are handed on one by one. Over TLS it may come
 * with any byte, and what comes in one piece with it is judged by Vert.x.
 */
final class Http1Handlers extends ChannelInboundHandlerAdapter {
  /** "PRI * HTTP/2.0", two empty lines, "SM". */
  private static final int HTTP2_PREFACE_BYTES = 24;

  private int passed;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    boolean placed = place(context.pipeline());
    if (!placed && message instanceof ByteBuf bytes && !isEncrypted(context)) {
      while (!placed && passed < HTTP2_PREFACE_BYTES && bytes.readableBytes() > 1) {
        passed++;
        context.fireChannelRead(bytes.readRetainedSlice(1));
        placed = place(context.pipeline());
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

  private static boolean place(ChannelPipeline pipeline) {
    ChannelHandlerContext decoder = pipeline.context(HttpRequestDecoder.class);
    ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
    if (decoder == null || encoder == null) {
      return false;
    }
    Pipelining pipelining = new Pipelining((HttpRequestDecoder) decoder.handler());
    pipeline.addBefore(decoder.name(), null, pipelining.gate());
    pipeline.addAfter(encoder.name(), null, pipelining);
    ChannelHandlerContext decompressor = pipeline.context(HttpContentDecompressor.class);
    if (decompressor != null) {
      pipeline.addAfter(decompressor.name(), null, pipelining.new Decompression());
    }
    return true;
  }
}
