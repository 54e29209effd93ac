package dev.steadfast.problem;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Collects the body of a request before any worker thread is taken for it, so that a slow client
 * holds memory for what it has sent and nothing else. Bytes are counted as they arrive, chunked or
 * not, after decompression; the body of a request without a valid token is not read at all.
 */
@ApplicationScoped
public class BodyLimit {
  /** After authentication (200), before Quarkus' own limit, whose answer has no body. */
  private static final int PRIORITY = 100;

  private static final int TOO_LARGE = 413;

  /** How long the rest of a refused body is read away, so that the client gets to its answer. */
  private static final long DRAIN_MILLIS = 10_000;

  private static final int FIRST = -1_000;
  private static final String COLLECTED = BodyLimit.class.getName();
  private static final int LONG_DIGITS = 18;

  private final long limit;
  private final BodyHandler bodies;

  BodyLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    limit = maxBodySize.asLongValue();
    bodies = BodyHandler.create(false).setBodyLimit(limit);
  }

  void filters(@Observes Filters filters) {
    filters.register(this::collect, PRIORITY);
    filters.register(BodyLimit::refuseEmpty, PRIORITY - 1);
  }

  /** Before Quarkus' own handler of failures, whose answers have no body. */
  void failures(@Observes Router router) {
    router.route().order(FIRST).failureHandler(BodyLimit::failed);
  }

  private static void failed(RoutingContext context) {
    if (context.statusCode() == TOO_LARGE) {
      answer(context, HttpProblems.of(TOO_LARGE).orElseThrow());
    } else if (!(context.failure() instanceof HttpClosedException)) {
      context.next();
    }
  }

  /**
   * Quarkus hands the request over paused and resumes it when a handler for its data is set, so
   * nothing is lost while the token is looked at.
   */
  private void collect(RoutingContext context) {
    if (announcesTooMuch(context.request())) {
      answer(context, HttpProblems.of(TOO_LARGE).orElseThrow());
      return;
    }
    String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !type.startsWith(HttpHeaderValues.APPLICATION_JSON.toString())) {
      context.next();
      return;
    }
    Uni<SecurityIdentity> identity = QuarkusHttpUser.getSecurityIdentity(context, null);
    identity
        .subscribe()
        .with(
            person -> {
              if (person == null || person.isAnonymous()) {
                context.next();
              } else {
                context.put(COLLECTED, true);
                bodies.handle(context);
              }
            },
            failure -> context.next());
  }

  /** A resource would wait for a body that has been collected already and is empty. */
  private static void refuseEmpty(RoutingContext context) {
    HttpMethod method = context.request().method();
    boolean needed = method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT);
    if (needed && context.get(COLLECTED) != null && context.body().length() <= 0) {
      answer(context, Problem.of(400, "MALFORMED_BODY", "The body is empty; send JSON."));
    } else {
      context.next();
    }
  }

  private boolean announcesTooMuch(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null && (length.length() > LONG_DIGITS || Long.parseLong(length) > limit);
  }

  private static void answer(RoutingContext context, Problem problem) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    HttpServerRequest request = context.request();
    response
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .end(
            new JsonObject()
                .put("type", problem.type())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", problem.detail())
                .put("code", problem.code())
                .encode());
    if (!request.isEnded()) {
      long timer = context.vertx().setTimer(DRAIN_MILLIS, expired -> request.connection().close());
      request.handler(ignored -> {});
      request.endHandler(ended -> context.vertx().cancelTimer(timer));
      request.resume();
    }
  }
}
