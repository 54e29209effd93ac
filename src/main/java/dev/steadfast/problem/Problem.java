package dev.steadfast.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;

/**
 * What every failed request is answered with: {@code application/problem+json} (RFC 9457).
 *
 * @param type a URI that names the kind of problem
 * @param title the kind of problem, in words
 * @param status the HTTP status
 * @param detail what is wrong with this request and what to do
 * @param code the kind of problem, for programs
 * @param errors the faulty places of the request; absent if none can be named
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type, String title, int status, String detail, String code, List<Place> errors) {
  /** The media type of problems. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /**
   * A faulty place of a request.
   *
   * @param pointer where in the body (RFC 6901); empty for the body as a whole
   * @param detail what is wrong there
   */
  @RegisterForReflection
  public record Place(String pointer, String detail) {}

  /** A problem without faulty places. */
  public static Problem of(int status, String code, String detail) {
    return of(status, code, detail, List.of());
  }

  /** A problem with faulty places. */
  public static Problem of(int status, String code, String detail, List<Place> errors) {
    Status known = Status.fromStatusCode(status);
    String title = status == 422 ? "Unprocessable Content" : known.getReasonPhrase();
    String type = "urn:steadfast:problem:" + code.toLowerCase(java.util.Locale.ROOT);
    return new Problem(type.replace('_', '-'), title, status, detail, code, errors);
  }
}
