package dev.steadfast.limits;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import java.util.HashMap;
import java.util.Map;

/**
 * The open streams of one connection of HTTP/2. A stream is open, with all its headers, until the
 * client has taken the whole answer, which it may leave for as long as it likes. Used by the event
 * loop of the connection only.
 */
final class Http2Streams extends Http2ConnectionAdapter {
  private static final AttributeKey<Http2Streams> OF_CHANNEL =
      AttributeKey.valueOf("steadfast.http2.streams");

  /** What is done when a stream is closed, by its number. */
  private final Map<Integer, Runnable> open = new HashMap<>();

  private Http2Streams() {}

  /** Those of this connection, on which a request has arrived. */
  static Http2Streams of(Channel channel) {
    Attribute<Http2Streams> attribute = channel.attr(OF_CHANNEL);
    Http2Streams streams = attribute.get();
    if (streams == null) {
      streams = new Http2Streams();
      attribute.set(streams);
      channel.pipeline().get(Http2ConnectionHandler.class).connection().addListener(streams);
    }
    return streams;
  }

  /** Does this once when this stream, which is open, is closed. */
  void onClosed(int stream, Runnable then) {
    open.put(stream, then);
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    Runnable then = open.remove(stream.id());
    if (then != null) {
      then.run();
    }
  }
}
