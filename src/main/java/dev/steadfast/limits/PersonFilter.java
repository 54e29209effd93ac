package dev.steadfast.limits;

import dev.steadfast.identity.LogText;
import dev.steadfast.identity.Person;
import dev.steadfast.problem.ProblemException;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Every call of a person: names the person in the log, and takes from the person's rate. Before the
 * body is read: a refused call costs next to nothing.
 */
public class PersonFilter {
  private final Person person;
  private final RequestRate rate;

  PersonFilter(Person person, RequestRate rate) {
    this.person = person;
    this.rate = rate;
  }

  /**
   * Lets the call pass or ends it.
   *
   * @throws ProblemException 429 if the person made too many
   */
  @ServerRequestFilter(nonBlocking = true)
  public void take(RoutingContext routing) {
    if (routing.request().method() == HttpMethod.GET) {
      // A body that nobody asked for would be kept as long as the answer takes.
      routing.request().handler(ignored -> {}).resume();
    }
    if (routing.user() == null) {
      return;
    }
    String userId = person.id();
    MDC.put("userId", LogText.plain(userId));
    RequestRate.Grant grant = rate.take(userId);
    // On the response itself: filters of responses do not see streams.
    routing
        .response()
        .putHeader("RateLimit-Policy", rate.policy())
        .putHeader("RateLimit", grant.field());
    if (!grant.granted()) {
      String detail =
          "This person makes too many requests. The next one is served in %d s; the field RateLimit"
              + " of every answer tells how many are left.";
      throw Busy.person(
          detail.formatted(grant.nextIn()), Duration.ofSeconds(Math.max(1, grant.nextIn())));
    }
  }
}
