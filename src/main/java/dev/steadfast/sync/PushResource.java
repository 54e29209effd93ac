package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.identity.Person;
import dev.steadfast.limits.PushesAtOnce;
import dev.steadfast.limits.RequestBody;
import dev.steadfast.limits.Shares;
import dev.steadfast.problem.ProblemException;
import io.quarkus.security.Authenticated;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jboss.resteasy.reactive.RestMulti;

/** {@code POST /sync/push}: a device sends its queue, and every operation gets its answer. */
@Path("/sync/push")
@Authenticated
public class PushResource {
  /** What is made of a body while it is judged, operations, rows and answer, is larger than it. */
  private static final long GROWTH = 3;

  private final Person person;
  private final Contract contract;
  private final PushService service;
  private final RequestBody body;
  private final PushesAtOnce pushes;
  private final Shares shares;
  private final HeldAnswers answers;

  PushResource(
      Person person,
      Contract contract,
      PushService service,
      RequestBody body,
      PushesAtOnce pushes,
      Shares shares,
      HeldAnswers answers) {
    this.answers = answers;
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
   * @return {@code {"verdicts":[…],"left"?}}
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public RestMulti<byte[]> push(@Context RoutingContext routing) {
    HttpServerRequest request = routing.request();
    if (request.getHeader(HttpHeaders.CONTENT_TYPE) == null) {
      throw new NotSupportedException();
    }
    String userId = person.id();
    return answers.send(
        userId,
        body.then(
            userId,
            request,
            json ->
                pushes.run(
                    userId,
                    routing,
                    () -> push(userId, json),
                    work -> shares.run(Shares.Kind.PUSH, GROWTH * json.length, work))));
  }

  private List<byte[]> push(String userId, byte[] body) {
    try {
      return service.push(userId, PushBodyReader.read(body, contract)).json();
    } catch (MalformedBodyException e) {
      throw ProblemException.at(400, "MALFORMED_BODY", e.pointer(), e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
