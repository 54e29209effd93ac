package dev.steadfast.limits;

import dev.steadfast.problem.HttpProblems;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import java.time.Duration;

/** The answers to those who must come again because others are served now. */
public final class Busy {
  private Busy() {}

  /** This person asks for too much at once: 429. */
  public static ProblemException person(String detail, Duration retryAfter) {
    return new ProblemException(Problem.of(429, "TOO_MANY_REQUESTS", detail), retryAfter);
  }

  /** All together ask for too much at once: 503. */
  public static ProblemException pod() {
    return new ProblemException(HttpProblems.of(503).orElseThrow(), ProblemException.RETRY_AFTER);
  }
}
