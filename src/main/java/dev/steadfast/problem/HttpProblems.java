package dev.steadfast.problem;

import java.util.Optional;

/** The problems that HTTP itself knows, by status. */
public final class HttpProblems {
  private HttpProblems() {}

  /** The problem for a status of 4xx or 503; empty for any other. */
  public static Optional<Problem> of(int status) {
    Problem problem =
        switch (status) {
          case 401 ->
              Problem.of(status, "UNAUTHENTICATED", "Send Authorization: Bearer and a token.");
          case 403 -> Problem.of(status, "FORBIDDEN", "The token lacks the role for this call.");
          case 404 -> Problem.of(status, "NOT_FOUND", "Nothing is served at this path.");
          case 405 ->
              Problem.of(status, "METHOD_NOT_ALLOWED", "The header Allow names what is possible.");
          case 406 ->
              Problem.of(status, "NOT_ACCEPTABLE", "This call answers with application/json.");
          case 408 ->
              Problem.of(
                  status,
                  "REQUEST_TIMEOUT",
                  "The body took too long to arrive. Send fewer operations at once.");
          case 413 ->
              Problem.of(
                  status,
                  "BODY_TOO_LARGE",
                  "The body is larger than GET /sync/limits allows, counted after decompression."
                      + " Send fewer operations at once.");
          case 414 ->
              Problem.of(status, "URI_TOO_LONG", "The address is longer than this service reads.");
          case 415 ->
              Problem.of(status, "UNSUPPORTED_MEDIA_TYPE", "Send Content-Type: application/json.");
          case 431 ->
              Problem.of(
                  status,
                  "HEADERS_TOO_LARGE",
                  "The headers are larger than this service reads. Send fewer or shorter ones.");
          case 503 ->
              Problem.of(status, "UNAVAILABLE", "The service has too much to do. Repeat later.");
          default ->
              status >= 400 && status < 500
                  ? Problem.of(status, "BAD_REQUEST", "The request cannot be understood.")
                  : null;
        };
    return Optional.ofNullable(problem);
  }
}
