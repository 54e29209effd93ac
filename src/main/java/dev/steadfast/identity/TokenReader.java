package dev.steadfast.identity;

import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.List;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.consumer.JwtContext;
import org.jose4j.keys.resolvers.VerificationKeyResolver;

/**
 * Reads tokens. SmallRye verifies them; claims of a type that it does not expect would end in a
 * failure of the service (500), though they only mean a bad token.
 */
@ApplicationScoped
@Alternative
@Priority(1)
public class TokenReader extends JWTCallerPrincipalFactory {
  private final DefaultJWTTokenParser parser;

  TokenReader(VerificationKeys keys) {
    parser =
        new DefaultJWTTokenParser() {
          @Override
          protected VerificationKeyResolver getVerificationKeyResolver(JWTAuthContextInfo info) {
            return keys.resolver();
          }
        };
  }

  @Override
  public JWTCallerPrincipal parse(String token, JWTAuthContextInfo info) throws ParseException {
    try {
      JwtContext context = parser.parse(token, info);
      requireTypes(context.getJwtClaims());
      String type = context.getJoseObjects().get(0).getHeader("typ");
      JWTCallerPrincipal principal = new DefaultJWTCallerPrincipal(type, context.getJwtClaims());
      // Whatever asks for them later asks here first: a claim of a wrong type fails now.
      principal.getName();
      principal.getExpirationTime();
      return principal;
    } catch (ParseException e) {
      if (e.getCause() instanceof KeysAwayException) {
        String detail =
            "The issuer's keys cannot be read now, so the token cannot be verified. Repeat the"
                + " request.";
        throw new ProblemException(
            Problem.of(503, "UNAVAILABLE", detail), ProblemException.RETRY_AFTER);
      }
      throw e;
    } catch (ClassCastException e) {
      throw new ParseException("a claim has a wrong type", e);
    }
  }

  private static void requireTypes(JwtClaims claims) throws ParseException {
    Object subject = claims.getClaimValue("sub");
    if (subject != null && !(subject instanceof String)) {
      throw new ParseException("sub is no string");
    }
    Object groups = claims.getClaimValue("groups");
    boolean strings =
        groups == null
            || groups instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
    if (!strings) {
      throw new ParseException("groups is no array of strings");
    }
  }
}
