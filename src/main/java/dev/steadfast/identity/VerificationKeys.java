package dev.steadfast.identity;

import dev.steadfast.start.Settings;
import dev.steadfast.start.StartRefusedException;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * The keys that tokens are verified with. The service says by which algorithm, never the token; an
 * algorithm with a shared secret is none: who can verify with it can forge with it.
 */
@ApplicationScoped
public class VerificationKeys {
  private static final int AFTER_THE_REQUIRED_SETTINGS = Integer.MIN_VALUE + 1;
  private static final String LOCATION = "mp.jwt.verify.publickey.location";
  private static final String INLINE = "mp.jwt.verify.publickey";
  private static final String ALGORITHM = "mp.jwt.verify.publickey.algorithm";

  /** SmallRye's other name. It would win, and be read on the event loop. */
  private static final String OTHER_LOCATION = "smallrye.jwt.verify.key.location";

  private final JWTAuthContextInfo info;
  private final Settings settings;
  private final Config config;
  private VerificationKeyResolver resolver;

  VerificationKeys(JWTAuthContextInfo info, Settings settings, Config config) {
    this.info = info;
    this.settings = settings;
    this.config = config;
  }

  /** A key that is not there, or none at all, stops the start; a JWKS that is away does not. */
  void check(@Observes @Priority(AFTER_THE_REQUIRED_SETTINGS) StartupEvent start) {
    if (config.getOptionalValue(OTHER_LOCATION, String.class).isPresent()) {
      throw new StartRefusedException("Set " + LOCATION + " in place of " + OTHER_LOCATION + ".");
    }
    Set<SignatureAlgorithm> algorithms;
    try {
      algorithms = info.getSignatureAlgorithm();
    } catch (RuntimeException e) {
      throw new StartRefusedException(named() + " cannot be read: is there such a file?");
    }
    if (info.getSecretKeyContent() != null
        || algorithms.stream().anyMatch(VerificationKeys::isShared)) {
      throw new StartRefusedException(
          "Tokens are verified with a public key, by RS256 or ES256 and their like: remove"
              + " smallrye.jwt.verify.secretkey, and set no HS algorithm in "
              + ALGORITHM
              + ".");
    }
    resolver = isPublished() ? published() : given(algorithms);
  }

  /** Finds the key for a token. */
  VerificationKeyResolver resolver() {
    return resolver;
  }

  private static boolean isShared(SignatureAlgorithm algorithm) {
    return algorithm.getAlgorithm().startsWith("HS");
  }

  private boolean isPublished() {
    String address = info.getPublicKeyLocation();
    return address != null && (address.startsWith("http://") || address.startsWith("https://"));
  }

  private VerificationKeyResolver published() {
    try {
      IssuerKeys keys = new IssuerKeys(info, settings.jwks());
      keys.readFirst();
      return keys;
    } catch (IOException | JoseException e) {
      throw new StartRefusedException(LOCATION + " cannot be used: " + e.getMessage());
    }
  }

  private VerificationKeyResolver given(Set<SignatureAlgorithm> algorithms) {
    String names =
        algorithms.stream().map(SignatureAlgorithm::getAlgorithm).collect(Collectors.joining(", "));
    try {
      GivenKey key = new GivenKey(info);
      if (key.isThere(algorithms.size())) {
        return key;
      }
    } catch (UnresolvableKeyException e) {
      // Said below, with the name of the setting.
    }
    throw new StartRefusedException(
        named()
            + " holds no public key for "
            + names
            + ": give a PEM of one algorithm, or a JWKS, and name the algorithm in "
            + ALGORITHM
            + " if it is not RS256.");
  }

  private String named() {
    return config
        .getOptionalValue(LOCATION, String.class)
        .filter(location -> config.getOptionalValue(INLINE, String.class).isEmpty())
        .map(location -> LOCATION + " (" + location + ")")
        .orElse(INLINE);
  }

  /** A key from a file or from the settings. */
  private static final class GivenKey extends KeyLocationResolver {
    private GivenKey(JWTAuthContextInfo info) throws UnresolvableKeyException {
      super(info);
    }

    /** With several algorithms SmallRye would read a PEM by any of them. */
    private boolean isThere(int algorithms) {
      boolean pem = key != null && algorithms == 1;
      return pem || (jsonWebKeys != null && !jsonWebKeys.isEmpty());
    }
  }
}
