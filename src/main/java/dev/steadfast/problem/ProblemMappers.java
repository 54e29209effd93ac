package dev.steadfast.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.steadfast.database.DatabaseFailure;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http2.Http2Exception;
import io.quarkus.security.AuthenticationCompletionException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.net.SocketException;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns every failure of a request into a problem. The only place that knows how failures look. */
public class ProblemMappers {
  private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

  @ServerExceptionMapper
  Response expected(ProblemException e) {
    return e.response();
  }

  @ServerExceptionMapper({
    UnauthorizedException.class,
    AuthenticationFailedException.class,
    AuthenticationCompletionException.class
  })
  Response unauthenticated(SecurityException e) {
    return unauthenticated("No valid token. Send Authorization: Bearer and a token.");
  }

  /** The answer to a request whose token is missing or bad. */
  public static Response unauthenticated(String detail) {
    return response(Problem.of(401, "UNAUTHENTICATED", detail));
  }

  @ServerExceptionMapper
  Response forbidden(ForbiddenException e) {
    String detail = "The token lacks the role that this call needs.";
    return new ProblemException(Problem.of(403, "FORBIDDEN", detail)).response();
  }

  @ServerExceptionMapper({JsonProcessingException.class, MismatchedInputException.class})
  Response notJson(JsonProcessingException e) {
    return ProblemException.at(400, "MALFORMED_BODY", "", "is not JSON of the expected shape")
        .response();
  }

  @ServerExceptionMapper
  Response http(WebApplicationException e, UriInfo uri) {
    int status = e.getResponse().getStatus();
    Optional<Problem> problem = HttpProblems.of(status);
    if (problem.isEmpty()) {
      return unforeseen(e);
    }
    Response response = response(problem.get());
    if (status != 405) {
      return response;
    }
    String allowed = String.join(", ", AllowedMethods.at(uri.getPath()));
    return Response.fromResponse(response).header(HttpHeaders.ALLOW, allowed).build();
  }

  /** The client went away before its body had arrived: there is nobody to answer. */
  @ServerExceptionMapper({
    HttpClosedException.class,
    StreamResetException.class,
    Http2Exception.class,
    DecompressionException.class,
    SocketException.class
  })
  Response gone(Exception e) {
    return response(Problem.of(400, "BAD_REQUEST", "The connection was closed."));
  }

  @ServerExceptionMapper
  Response unforeseen(Throwable e, RoutingContext request) {
    if (e instanceof IOException reset && isClosed(request)) {
      return gone(reset);
    }
    return unforeseen(e);
  }

  /** Asked of the channel: a write that fails closes it, and the response hears of that later. */
  private static boolean isClosed(RoutingContext request) {
    return request.request().connection() instanceof ConnectionBase connection
        && !connection.channel().isActive();
  }

  private static Response unforeseen(Throwable e) {
    DatabaseFailure failure = DatabaseFailure.of(e).orElse(DatabaseFailure.OTHER);
    if (failure == DatabaseFailure.RETRY || failure == DatabaseFailure.UNAVAILABLE) {
      LOG.warnf("the database could not serve a request: %s", DatabaseFailure.describe(e));
      return ProblemException.unavailable().response();
    }
    if (e instanceof OutOfMemoryError) {
      LOG.error("a request found no memory", e);
      return ProblemException.unavailable().response();
    }
    String id = UUID.randomUUID().toString();
    LOG.errorf(e, "unforeseen failure %s", id);
    String detail = "Something failed that should not. It is in the service's log as " + id + ".";
    return response(Problem.of(500, "INTERNAL", detail));
  }

  private static Response response(Problem problem) {
    return new ProblemException(problem).response();
  }
}
