package dev.steadfast.sync;

import dev.steadfast.identity.Person;
import dev.steadfast.limits.Busy;
import dev.steadfast.limits.Connections;
import dev.steadfast.limits.RequestRate;
import dev.steadfast.problem.ProblemException;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Instant;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** {@code GET /sync/events}: a device learns of changes without polling. */
@Path("/sync/events")
@Authenticated
public class EventsResource {
  private final Person person;
  private final JsonWebToken token;
  private final HeadWatch watch;
  private final Settings settings;
  private final Connections connections;
  private final Counter refused;

  EventsResource(
      Person person,
      JsonWebToken token,
      HeadWatch watch,
      Settings settings,
      Connections connections,
      MeterRegistry metrics) {
    refused = RequestRate.refused(metrics, "listeners");
    this.connections = connections;
    this.person = person;
    this.token = token;
    this.watch = watch;
    this.settings = settings;
  }

  /**
   * Server-Sent Events: {@code event: head}, {@code data: {"seq":n}} at once and whenever the head
   * moves, from whichever pod the push came; a comment now and then keeps proxies from closing the
   * line. The stream ends when the token expires.
   */
  @GET
  @NonBlocking
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public Multi<OutboundSseEvent> events(@Context Sse sse, @Context HttpServerRequest request) {
    if (request.method() == HttpMethod.HEAD) {
      // The headers alone: without a body nobody would notice the end.
      return Multi.createFrom().empty();
    }
    String userId = person.id();
    if (watch.count() >= mostListeners()) {
      throw ProblemException.unavailable();
    }
    int most = settings.events().maxListenersPerPerson();
    if (watch.count(userId) >= most) {
      refused.increment();
      String detail = "This person has %d streams of events open at this pod. Close one first.";
      throw Busy.person(detail.formatted(most), ProblemException.RETRY_AFTER);
    }
    Instant expires = Instant.ofEpochSecond(token.getExpirationTime());
    return watch.listen(userId, expires).map(seq -> event(sse, seq));
  }

  /** Streams are never closed for another connection: a quarter is left to everybody else. */
  private long mostListeners() {
    return Math.min(settings.events().maxListeners(), Math.max(1, connections.most() * 3L / 4));
  }

  private static OutboundSseEvent event(Sse sse, long seq) {
    return seq == HeadListener.STILL_HERE
        ? sse.newEventBuilder().comment("still here").build()
        : sse.newEventBuilder().name("head").data("{\"seq\":" + seq + "}").build();
  }
}
