package dev.steadfast.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.steadfast.start.StartRefusedException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.util.KeyUtils;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Set;
import org.jose4j.jwk.PublicJsonWebKey;
import org.junit.jupiter.api.Test;

/** Which keys, by which algorithms, a service starts with. */
class VerificationKeysTest {
  private static final SignatureAlgorithm RS256 = SignatureAlgorithm.RS256;
  private static final SignatureAlgorithm ES256 = SignatureAlgorithm.ES256;

  private static void start(String key, SignatureAlgorithm... algorithms) {
    JWTAuthContextInfo info = new JWTAuthContextInfo();
    info.setPublicKeyContent(key);
    info.setSignatureAlgorithm(Set.of(algorithms));
    SmallRyeConfig config =
        new SmallRyeConfigBuilder()
            .withDefaultValue("mp.jwt.verify.publickey.location", "keys/issuer.pem")
            .build();
    new VerificationKeys(info, null, config).check(null);
  }

  private static void refuses(String key, SignatureAlgorithm... algorithms) {
    assertThatThrownBy(() -> start(key, algorithms))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("mp.jwt.verify.publickey");
  }

  private static String pem(PublicKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  @Test
  void aPublicKeyOfTheAlgorithmIsTaken() throws Exception {
    KeyPair rsa = KeyUtils.generateKeyPair(2048);
    KeyPair curve = KeyUtils.generateKeyPair(256, ES256);
    String jwk = PublicJsonWebKey.Factory.newPublicJwk(rsa.getPublic()).toJson();
    start(pem(rsa.getPublic()), RS256);
    start(pem(curve.getPublic()), ES256);
    start(jwk, RS256);
    start("{\"keys\":[" + jwk + "]}", RS256, ES256);
  }

  @Test
  void whatHoldsNoSuchKeyStopsTheStart() throws Exception {
    KeyPair rsa = KeyUtils.generateKeyPair(2048);
    String privately = Base64.getEncoder().encodeToString(rsa.getPrivate().getEncoded());
    refuses("", RS256);
    refuses("no key", RS256);
    refuses("{\"keys\":[]}", RS256);
    refuses("{}", RS256);
    refuses(pem(rsa.getPublic()), ES256);
    refuses(pem(rsa.getPublic()), RS256, ES256);
    refuses("-----BEGIN PRIVATE KEY-----\n" + privately + "\n-----END PRIVATE KEY-----", RS256);
    assertThatThrownBy(() -> start("no key", RS256)).hasMessageContaining("keys/issuer.pem");
  }

  @Test
  void anAlgorithmWithASharedSecretStopsTheStart() throws Exception {
    String key = pem(KeyUtils.generateKeyPair(2048).getPublic());
    refuses(key, SignatureAlgorithm.HS256);
    refuses(key, RS256, SignatureAlgorithm.HS512);
    JWTAuthContextInfo info = new JWTAuthContextInfo();
    info.setSecretKeyContent("a secret");
    SmallRyeConfig config = new SmallRyeConfigBuilder().build();
    VerificationKeys keys = new VerificationKeys(info, null, config);
    assertThatThrownBy(() -> keys.check(null)).isInstanceOf(StartRefusedException.class);
    assertThat(keys.resolver()).isNull();
  }
}
