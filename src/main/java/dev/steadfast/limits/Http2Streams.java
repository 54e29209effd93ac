package dev.steadfast.limits;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;

/**
 * The open streams of one connection of HTTP/2. A stream is open, with all its headers, until the
 * client has taken the whole answer, which it may leave for as long as it likes. Used by the event
 * loop of the connection only.
 */
final class Http2Streams extends Http2ConnectionAdapter {
  private static final AttributeKey<Http2Streams> OF_CHANNEL =
      AttributeKey.valueOf("steadfast.http2.streams");

  private final Connections connections;
  private int open;

  private Http2Streams(Connections connections) {
    this.connections = connections;
  }

  /** Those of this connection, on which a request has arrived. */
  static Http2Streams of(Channel channel, Connections connections) {
    Attribute<Http2Streams> attribute = channel.attr(OF_CHANNEL);
    Http2Streams streams = attribute.get();
    if (streams == null) {
      streams = new Http2Streams(connections);
      attribute.set(streams);
      streams.listen(channel.pipeline().get(Http2ConnectionHandler.class));
    }
    return streams;
  }

  private void listen(Http2ConnectionHandler handler) {
    handler.connection().addListener(this);
    open = handler.connection().numActiveStreams();
    connections.streams(Math.max(0, open - 1));
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    if (++open > 1) {
      connections.streams(1);
    }
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    if (open-- > 1) {
      connections.streams(-1);
    }
  }

  /** Whether the pod can bear the last one: always, if it is the only one of its connection. */
  boolean areBearable() {
    return open <= 1 || connections.canBearStreams();
  }
}
