package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.identity.Person;
import dev.steadfast.limits.PushesAtOnce;
import dev.steadfast.limits.RequestBody;
import dev.steadfast.limits.Shares;
import dev.steadfast.problem.ProblemException;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;

/** {@code POST /sync/push}: a device sends its queue, and every operation gets its answer. */
@Path("/sync/push")
@Authenticated
public class PushResource {
  private final Person person;
  private final Contract contract;
  private final PushService service;
  private final RequestBody body;
  private final PushesAtOnce pushes;
  private final Shares shares;

  PushResource(
      Person person,
      Contract contract,
      PushService service,
      RequestBody body,
      PushesAtOnce pushes,
      Shares shares) {
    this.pushes = pushes;
    this.shares = shares;
    this.person = person;
    this.contract = contract;
    this.service = service;
    this.body = body;
  }

  /**
   * Judges a batch {@code {"batch":[{"opId","rowId","fields","at","schema"?}…]}}.
   *
   * <p>Blocking, although it returns at once: so the answer is streamed from a worker thread.
   *
   * @return {@code {"verdicts":[…],"left"?}}
   */
  @POST
  @Blocking
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<Response> push(@Context RoutingContext routing) {
    HttpServerRequest request = routing.request();
    if (request.getHeader(HttpHeaders.CONTENT_TYPE) == null) {
      throw new NotSupportedException();
    }
    String userId = person.id();
    return body.then(
        request,
        json ->
            pushes.run(
                userId,
                routing,
                () -> shares.run(Shares.Kind.PUSH, json.length, () -> push(userId, json))));
  }

  private Response push(String userId, byte[] json) {
    try {
      PushAnswer answer = service.push(userId, PushBodyReader.read(json, contract));
      return Response.ok((StreamingOutput) answer::writeTo).build();
    } catch (MalformedBodyException e) {
      throw ProblemException.at(400, "MALFORMED_BODY", e.pointer(), e.getMessage());
    }
  }
}
