package dev.steadfast.publications;

import dev.steadfast.identity.Person;
import dev.steadfast.journal.IdempotencyKey;
import dev.steadfast.journal.Outcome;
import dev.steadfast.limits.RequestBody;
import dev.steadfast.limits.Shares;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * {@code /publications}: commands that are named by their caller and take effect once. A repeat
 * with the same {@code Idempotency-Key} gets the stored answer.
 */
@Path("/publications")
@RolesAllowed("editor")
@Produces(MediaType.APPLICATION_JSON)
public class PublicationsResource {
  private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,9}");
  private static final String REPLAYED = "Idempotent-Replayed";

  private final Person person;
  private final PublicationService service;
  private final RequestBody body;
  private final Shares shares;

  PublicationsResource(Person person, PublicationService service, RequestBody body, Shares shares) {
    this.shares = shares;
    this.person = person;
    this.service = service;
    this.body = body;
  }

  /** A publication, with its version as {@code ETag}. */
  @GET
  @Path("{id}")
  public Uni<Response> get(String id, @Context Request request) {
    int number = id(id);
    return shares.run(Shares.Kind.READ, 0, () -> read(number, request));
  }

  private Response read(int id, Request request) {
    Publication publication = service.get(id);
    EntityTag tag = new EntityTag(Integer.toString(publication.version()));
    Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
    return (unchanged == null ? Response.ok(publication) : unchanged).tag(tag).build();
  }

  /** Creates a publication from {@code {"title"}}. */
  @POST
  @Blocking
  public Uni<Response> create(@Context HttpServerRequest request) {
    String principal = person.id();
    requireJson(request);
    String key = key(request);
    return body.then(
        principal,
        request,
        json ->
            shares.run(
                Shares.Kind.KEYED,
                json.length,
                () -> {
                  PublicationBody read =
                      PublicationBody.read(json, PublicationBody.Form.CREATION, 0);
                  return response(service.create(principal, key, read));
                }));
  }

  /** Updates a publication with {@code {"title","version"}}; the version decides. */
  @PUT
  @Path("{id}")
  @Blocking
  public Uni<Response> update(String id, @Context HttpServerRequest request) {
    String principal = person.id();
    requireJson(request);
    String key = key(request);
    int number = id(id);
    return body.then(
        principal,
        request,
        json ->
            shares.run(
                Shares.Kind.KEYED,
                json.length,
                () -> {
                  PublicationBody read =
                      PublicationBody.read(json, PublicationBody.Form.UPDATE, number);
                  return response(service.update(principal, key, number, read));
                }));
  }

  // Not by @Consumes: that is looked at before the role, and the role comes before anything else.
  private static void requireJson(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    try {
      if (type != null && MediaType.valueOf(type).isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // Not even a media type.
    }
    throw new NotSupportedException();
  }

  private static String key(HttpServerRequest request) {
    return IdempotencyKey.of(request.headers().getAll(IdempotencyKey.HEADER));
  }

  private static int id(String text) {
    if (ID.matcher(text).matches() && Long.parseLong(text) <= Integer.MAX_VALUE) {
      return Integer.parseInt(text);
    }
    String detail = "The id of a publication is an integer from 1 to " + Integer.MAX_VALUE + ".";
    throw new ProblemException(Problem.of(400, "INVALID_PARAMETER", detail));
  }

  private static Response response(Outcome outcome) {
    byte[] bytes = outcome.answer().body().getBytes(StandardCharsets.UTF_8);
    Response.ResponseBuilder response =
        Response.status(outcome.answer().status())
            .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON)
            .entity(bytes);
    outcome.answer().headers().forEach(response::header);
    if (outcome.replayed()) {
      response.header(REPLAYED, "true");
    }
    return response.build();
  }
}
