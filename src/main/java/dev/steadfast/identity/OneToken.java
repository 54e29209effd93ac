package dev.steadfast.identity;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * A request with two tokens counts as one without: a proxy may have looked at the one, and the
 * service at the other.
 */
@ApplicationScoped
public class OneToken {
  private static final int BEFORE_AUTHENTICATION = 300;

  void filters(@Observes Filters filters) {
    filters.register(OneToken::drop, BEFORE_AUTHENTICATION);
  }

  private static void drop(RoutingContext context) {
    if (context.request().headers().getAll(HttpHeaders.AUTHORIZATION).size() > 1) {
      context.request().headers().remove(HttpHeaders.AUTHORIZATION);
    }
    context.next();
  }
}
