package dev.steadfast.identity;

import dev.steadfast.database.StorableText;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import jakarta.enterprise.context.RequestScoped;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Whose request this is. */
@RequestScoped
public class Person {
  private final JsonWebToken token;

  Person(JsonWebToken token) {
    this.token = token;
  }

  /**
   * The user id: the token's {@code sub}.
   *
   * @throws ProblemException 401 if it is blank, longer than {@value StorableText#MAX_NAME} units,
   *     or has characters that a name may not have
   */
  public String id() {
    String subject = token.getSubject();
    if (subject == null
        || subject.isBlank()
        || StorableText.nameFault(subject, StorableText.MAX_NAME) != null) {
      String detail =
          "The token's claim sub must be a user id of 1 to 200 units without control characters.";
      throw new ProblemException(Problem.of(401, "UNAUTHENTICATED", detail));
    }
    return subject;
  }
}
