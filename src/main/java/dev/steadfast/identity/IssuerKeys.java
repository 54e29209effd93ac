package dev.steadfast.identity;

import dev.steadfast.start.Settings;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.AbstractKeyLocationResolver;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.io.IOException;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jose4j.http.Get;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.VerificationJwkSelector;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * The keys that an issuer publishes at an address (JWKS). A key once read goes on working while the
 * address is away; a token with an unknown key makes this pod look again, but not more often than
 * the settings say, whoever sends such tokens.
 *
 * <p>SmallRye's own resolver reads under a lock that every request waits for, with up to four
 * attempts of 20 seconds; it forgets its keys when a reading fails, and one stranger's token with
 * an unknown key keeps it from looking again for minutes.
 */
final class IssuerKeys extends AbstractKeyLocationResolver implements VerificationKeyResolver {
  private static final Logger LOG = Logger.getLogger(IssuerKeys.class);

  /** How soon an address that was away is tried again. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final String location;
  private final Settings.JwksSettings settings;
  private final List<String> algorithms;
  private final Get get = new Get();
  private final ReentrantLock reading = new ReentrantLock();
  private volatile List<JsonWebKey> keys = List.of();
  private volatile Attempt last;

  /** When the address was last asked, in nanoseconds of this JVM, and whether it was in vain. */
  private record Attempt(long at, boolean failed) {}

  IssuerKeys(JWTAuthContextInfo info, Settings.JwksSettings settings)
      throws IOException, JoseException {
    super(info);
    this.location = info.getPublicKeyLocation();
    this.settings = settings;
    algorithms =
        info.getSignatureAlgorithm().stream().map(SignatureAlgorithm::getAlgorithm).toList();
    int timeout = (int) settings.timeout().toMillis();
    get.setConnectTimeout(timeout);
    get.setReadTimeout(timeout);
    get.setRetries(0);
    httpsJwks = initializeHttpsJwks(location);
    httpsJwks.setRefreshReprieveThreshold(0);
  }

  @Override
  protected Get getHttpGet() {
    return get;
  }

  /** Reads the keys for the first time; an address that is away is only logged. */
  void readFirst() {
    read(Duration.ZERO);
  }

  @Override
  public Key resolveKey(JsonWebSignature token, List<JsonWebStructure> nesting)
      throws UnresolvableKeyException {
    if (!algorithms.contains(token.getAlgorithmHeaderValue())) {
      throw new UnresolvableKeyException("the token's algorithm is not one of " + algorithms);
    }
    Key known = find(token);
    if (known != null) {
      if (isDue(settings.refreshInterval())) {
        Infrastructure.getDefaultExecutor().execute(() -> read(settings.refreshInterval()));
      }
      return known;
    }
    boolean looked = read(settings.unknownKeyPause());
    Key published = find(token);
    if (published != null) {
      return published;
    }
    if (!looked || last.failed()) {
      throw new KeysAwayException(location);
    }
    throw new UnresolvableKeyException("the issuer publishes no such key");
  }

  private Key find(JsonWebSignature token) throws UnresolvableKeyException {
    try {
      JsonWebKey key = new VerificationJwkSelector().select(token, keys);
      return key instanceof PublicJsonWebKey asymmetric ? asymmetric.getPublicKey() : null;
    } catch (JoseException e) {
      throw new UnresolvableKeyException("the token's header names no usable key", e);
    }
  }

  private boolean isDue(Duration interval) {
    Attempt attempt = last;
    if (attempt == null) {
      return true;
    }
    Duration pause =
        attempt.failed() && AFTER_FAILURE.compareTo(interval) < 0 ? AFTER_FAILURE : interval;
    return System.nanoTime() - attempt.at() >= pause.toNanos();
  }

  /**
   * Asks the address, unless it was asked a short time ago; waits for another request that does.
   *
   * @return false if that took too long
   */
  private boolean read(Duration interval) {
    try {
      if (!reading.tryLock(2 * settings.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    try {
      if (isDue(interval)) {
        // Marked before it is asked: who comes meanwhile must not queue up behind a slow address.
        last = new Attempt(System.nanoTime(), last != null && last.failed());
        last = new Attempt(last.at(), !ask());
      }
      return true;
    } finally {
      reading.unlock();
    }
  }

  private boolean ask() {
    try {
      httpsJwks.refresh();
      keys = List.copyOf(httpsJwks.getJsonWebKeys());
      if (keys.isEmpty()) {
        LOG.warnf("%s holds no key: no token can be verified", location);
      }
      return true;
    } catch (IOException | JoseException | RuntimeException e) {
      LOG.warnf(
          "the keys that tokens are verified with cannot be read from %s (%s); %s",
          location,
          e.toString().replaceAll("\\p{Cntrl}+", " "),
          keys.isEmpty()
              ? "until then tokens are answered with 503"
              : "those read before are used on");
      return false;
    }
  }
}
