package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Lets few ask for metrics, and for the document of the API, at once: each of these pages is made
 * anew, is kept until its reader has it, and nobody needs a token for it. Groups of health checks,
 * of which this service has none, are not found: each name that anybody thinks of would be kept.
 */
@ApplicationScoped
public class OperatorPages {
  /** After {@link Answered} is there. */
  private static final int PRIORITY = 8_000;

  private static final int AT_ONCE = 16;

  /** By how the path begins: a page has several addresses, as {@code /q/openapi.json}. */
  private final Map<String, Semaphore> free =
      Map.of("/q/metrics", new Semaphore(AT_ONCE), "/q/openapi", new Semaphore(AT_ONCE));

  void filters(@Observes Filters filters) {
    filters.register(this::take, PRIORITY);
  }

  private void take(RoutingContext request) {
    if (isGroup(request.normalizedPath())) {
      BodyLimit.answer(request, HttpProblems.of(404).orElseThrow());
      return;
    }
    Optional<Semaphore> page = page(request.normalizedPath());
    if (page.isPresent()) {
      if (!page.get().tryAcquire()) {
        BodyLimit.answer(request, HttpProblems.of(503).orElseThrow());
        return;
      }
      Answered.of(request).then(page.get()::release);
    }
    request.next();
  }

  static boolean isGroup(String path) {
    return path.startsWith("/q/health/group");
  }

  Optional<Semaphore> page(String path) {
    return free.keySet().stream().filter(path::startsWith).findFirst().map(free::get);
  }
}
