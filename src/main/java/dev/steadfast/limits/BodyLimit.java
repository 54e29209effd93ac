package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Refuses a body that announces more bytes than are allowed, before anything of it is read, and
 * answers what fails outside of any resource. Bodies that do not announce their size are counted as
 * they arrive, by {@link RequestBody}.
 */
@ApplicationScoped
public class BodyLimit {
  private static final Logger LOG = Logger.getLogger(BodyLimit.class);

  /** Before Quarkus' own limit, whose answer has no body. */
  private static final int PRIORITY = 100;

  private static final int FIRST = -1_000;
  private static final int LONG_DIGITS = 18;
  private static final int UNAVAILABLE = 503;

  private final long limit;

  BodyLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    limit = maxBodySize.asLongValue();
  }

  void filters(@Observes Filters filters) {
    filters.register(this::checkAnnounced, PRIORITY);
  }

  /** Before Quarkus' own handler of failures, whose answers are no problems. */
  void failures(@Observes Router router) {
    router.route().order(FIRST).failureHandler(BodyLimit::failed);
  }

  private static void failed(RoutingContext context) {
    if (context.failure() instanceof HttpClosedException) {
      return;
    }
    int status = context.statusCode() > 0 ? context.statusCode() : 500;
    Problem problem = HttpProblems.of(status).orElse(null);
    if (problem == null) {
      LOG.error("unforeseen failure outside of a resource", context.failure());
      problem = Problem.of(500, "INTERNAL", "Something failed that should not. It is in the log.");
    }
    answer(context, problem);
  }

  private void checkAnnounced(RoutingContext context) {
    String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && (length.length() > LONG_DIGITS || Long.parseLong(length) > limit)) {
      answer(context, HttpProblems.of(413).orElseThrow());
    } else {
      context.next();
    }
  }

  static void answer(RoutingContext context, Problem problem) {
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    if (!request.isEnded()) {
      RequestBody.readAway(context.vertx(), request);
    }
    if (problem.status() == UNAVAILABLE) {
      long seconds = ProblemException.RETRY_AFTER.toSeconds();
      response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    }
    response
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .end(json(problem));
  }

  /** A problem without faulty places as JSON. */
  static String json(Problem problem) {
    return new JsonObject()
        .put("type", problem.type())
        .put("title", problem.title())
        .put("status", problem.status())
        .put("detail", problem.detail())
        .put("code", problem.code())
        .encode();
  }
}
