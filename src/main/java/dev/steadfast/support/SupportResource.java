package dev.steadfast.support;

import dev.steadfast.database.StorableText;
import dev.steadfast.identity.LogText;
import dev.steadfast.identity.Person;
import dev.steadfast.limits.Shares;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * {@code GET /support/verdict}: what was answered to an operation, for those who are asked why an
 * edit is gone. Who looked at whose is in the log.
 */
@Path("/support/verdict")
@RolesAllowed("support")
public class SupportResource {
  private static final Logger LOG = Logger.getLogger(SupportResource.class);

  private final Person person;
  private final SupportStore store;
  private final Shares shares;

  SupportResource(Person person, SupportStore store, Shares shares) {
    this.shares = shares;
    this.person = person;
    this.store = store;
  }

  /**
   * The remembered verdict. Names may contain a slash, so they are parameters and no path: {@code
   * user} is the person, the {@code sub} of their token, and {@code op} the operation's name.
   */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<DecidedVerdict> verdict(@Context HttpServerRequest request) {
    String by = person.id();
    String userId = name(request, "user");
    String opId = name(request, "op");
    return shares.run(Shares.Kind.READ, 0, () -> verdict(by, userId, opId));
  }

  private DecidedVerdict verdict(String by, String userId, String opId) {
    Optional<DecidedVerdict> verdict = store.find(userId, opId);
    LOG.infof(
        "verdict looked up: by=%s user=%s op=%s found=%s",
        LogText.quoted(by), LogText.quoted(userId), LogText.quoted(opId), verdict.isPresent());
    return verdict.orElseThrow(
        () -> {
          String detail = "No operation of this name was ever judged for this person.";
          return new ProblemException(Problem.of(404, "NOT_FOUND", detail));
        });
  }

  private static String name(HttpServerRequest request, String parameter) {
    // A semicolon is a character like any other, not a second ampersand.
    List<String> values = request.params(true).getAll(parameter);
    String fault =
        values.size() == 1
            ? StorableText.nameFault(values.get(0), StorableText.MAX_NAME)
            : "must be given once";
    if (fault != null) {
      String detail = "The parameter " + parameter + " " + fault + ".";
      throw new ProblemException(Problem.of(400, "INVALID_PARAMETER", detail));
    }
    return values.get(0);
  }
}
