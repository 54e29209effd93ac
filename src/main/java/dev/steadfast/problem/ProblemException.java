package dev.steadfast.problem;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;

/** Ends a request with a {@link Problem}. An expected outcome: it carries no stack trace. */
public class ProblemException extends RuntimeException {
  /** When a client should come again that got 503. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final Problem problem;
  private final Duration retryAfter;

  /** Ends the request with {@code problem}. */
  public ProblemException(Problem problem) {
    this(problem, null);
  }

  /**
   * Ends the request with {@code problem}.
   *
   * @param retryAfter when the client should come again, in whole seconds; null if repeating is of
   *     no use
   */
  public ProblemException(Problem problem, Duration retryAfter) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** A request that is wrong at one place of its body. */
  public static ProblemException at(int status, String code, String pointer, String detail) {
    String where = pointer.isEmpty() ? "The body " : pointer + " ";
    List<Problem.Place> places = List.of(new Problem.Place(pointer, detail));
    return new ProblemException(Problem.of(status, code, where + detail + ".", places));
  }

  /** The database cannot serve the request now: 503. */
  public static ProblemException unavailable() {
    String detail =
        "The database cannot be reached, or did not answer in time. Repeat the request: what was"
            + " done already is remembered.";
    return new ProblemException(Problem.of(503, "UNAVAILABLE", detail), RETRY_AFTER);
  }

  /** The problem as an answer. */
  public Response response() {
    Response.ResponseBuilder response =
        Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    if (retryAfter != null) {
      response.header(HttpHeaders.RETRY_AFTER, retryAfter.toSeconds());
    }
    if (problem.status() == 401) {
      response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    return response.build();
  }
}
