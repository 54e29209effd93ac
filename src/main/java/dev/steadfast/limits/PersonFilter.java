package dev.steadfast.limits;

import dev.steadfast.identity.LogText;
import dev.steadfast.identity.Person;
import dev.steadfast.problem.ProblemException;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.time.Duration;
import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Every call of a person: names the person in the log, and takes from the person's rate. Before the
 * body is read: a refused call costs next to nothing.
 */
public class PersonFilter {
  private static final String GRANT = "steadfast.limits.grant";

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
  public void take(ContainerRequestContext request, RoutingContext routing) {
    Answered.watch(routing);
    if (routing.user() == null) {
      return;
    }
    String userId = person.id();
    MDC.put("userId", LogText.plain(userId));
    RequestRate.Grant grant = rate.take(userId);
    request.setProperty(GRANT, grant);
    if (!grant.granted()) {
      String detail =
          "This person makes too many requests. The next one is served in %d s; the field RateLimit"
              + " of every answer tells how many are left.";
      throw Busy.person(
          detail.formatted(grant.nextIn()), Duration.ofSeconds(Math.max(1, grant.nextIn())));
    }
  }

  /** Tells what is left. */
  @ServerResponseFilter
  public void tell(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(GRANT) instanceof RequestRate.Grant grant) {
      response.getHeaders().putSingle("RateLimit-Policy", rate.policy());
      response.getHeaders().putSingle("RateLimit", grant.field());
    }
  }
}
