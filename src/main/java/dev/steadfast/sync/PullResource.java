package dev.steadfast.sync;

import dev.steadfast.identity.Person;
import dev.steadfast.limits.Shares;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.quarkus.security.Authenticated;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestQuery;

/** {@code GET /sync/pull}: a device reads what others changed, and cannot miss a row. */
@Path("/sync/pull")
@Authenticated
public class PullResource {
  private static final int DEFAULT_ROWS = 500;
  private static final int MAX_DIGITS = 16;

  private final Person person;
  private final PullService service;
  private final Shares shares;
  private final HeldAnswers answers;

  PullResource(Person person, PullService service, Shares shares, HeldAnswers answers) {
    this.shares = shares;
    this.answers = answers;
    this.person = person;
    this.service = service;
  }

  /**
   * Reads a page of changed rows: {@code cursor} is that of the last page (0, or absent, for all),
   * {@code limit} the most rows of the page, 1 to 1,000 (500 if absent).
   *
   * @param epoch the {@code epoch} that the cursor came with
   */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public RestMulti<byte[]> pull(@Context HttpServerRequest request, @RestQuery String epoch) {
    // Not by @RestQuery: to that an empty cursor is none, and reads everything once more.
    long after = number(request, "cursor", 0, 0, OperationReader.MAX_AT);
    long rows = number(request, "limit", DEFAULT_ROWS, 1, PullService.MAX_ROWS);
    String userId = person.id();
    return answers.send(
        userId,
        shares.run(Shares.Kind.READ, 0, () -> service.pull(userId, after, (int) rows, epoch)));
  }

  private static long number(
      HttpServerRequest request, String name, long absent, long least, long most) {
    List<String> values = request.params(true).getAll(name);
    if (values.isEmpty()) {
      return absent;
    }
    String text = values.size() == 1 ? values.get(0) : "";
    boolean digits =
        !text.isEmpty()
            && text.length() <= MAX_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    long value = digits ? Long.parseLong(text) : -1;
    if (value < least || value > most) {
      String detail = name + " must be an integer from " + least + " to " + most + ".";
      throw new ProblemException(Problem.of(400, "INVALID_PARAMETER", detail));
    }
    return value;
  }
}
