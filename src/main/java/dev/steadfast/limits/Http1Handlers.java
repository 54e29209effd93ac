package dev.steadfast.limits;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;

/**
 * Puts {@link Pipelining} around the decoder of HTTP/1, which over TLS is not there before the
 * handshake has ended; what comes in one piece with that end is judged by Vert.x.
 */
final class Http1Handlers extends ChannelInboundHandlerAdapter {
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (place(context.pipeline())) {
      context.pipeline().remove(this);
    }
    context.fireChannelRead(message);
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
    return true;
  }
}
