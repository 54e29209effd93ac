package dev.steadfast.identity;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.smallrye.jwt.util.KeyUtils;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an attacker, a careless issuer and a wrong clock can send in place of a token. */
@QuarkusTest
class ForgedTokensTest {
  private static final String RS256 = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";
  private static final long NOW = System.currentTimeMillis() / 1000;

  private static String setting(String name) {
    return ConfigProvider.getConfig().getValue(name, String.class);
  }

  private static PrivateKey ours() {
    try {
      return KeyUtils.decodePrivateKey(setting("smallrye.jwt.sign.key"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Good claims; {@code more} comes first, so that a key of it is given once. */
  private static String claims(String sub, String more) {
    return "{"
        + more
        + (sub == null ? "" : "\"sub\":" + sub + ",")
        + (more.contains("\"iss\"") ? "" : "\"iss\":\"" + setting("mp.jwt.verify.issuer") + "\",")
        + (more.contains("\"iat\"") ? "" : "\"iat\":" + NOW + ",")
        + (more.contains("\"exp\"") ? "" : "\"exp\":" + (NOW + 600) + ",")
        + "\"jti\":\"1\"}";
  }

  private static String signed(String claims) {
    return Forge.rsa(RS256, claims, ours());
  }

  private static String with(String more) {
    return signed(claims("\"anya\"", more));
  }

  private static String as(String sub) {
    return signed(claims(sub, ""));
  }

  private static String header(String header) {
    return Forge.rsa(header, claims("\"anya\"", ""), ours());
  }

  static Stream<Arguments> bad() throws Exception {
    String claims = claims("\"anya\"", "");
    String good = signed(claims);
    String[] parts = good.split("\\.");
    KeyPair theirs = KeyUtils.generateKeyPair(2048);
    String jwk = jwk(theirs);
    byte[] pem = setting("mp.jwt.verify.publickey").getBytes(StandardCharsets.UTF_8);
    byte[] der = Base64.getMimeDecoder().decode(KeyUtils.removePemKeyBeginEnd(new String(pem)));
    String none = "{\"alg\":\"none\",\"typ\":\"JWT\"}";
    String hs256 = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    return Stream.of(
        // The algorithm.
        arguments("alg none", Forge.unsigned(none, claims) + "."),
        arguments("alg none, without the last dot", Forge.unsigned(none, claims)),
        arguments("alg nOnE", Forge.unsigned(none.replace("none", "nOnE"), claims) + "."),
        arguments("alg none, signed all the same", Forge.rsa(none, claims, ours())),
        arguments("the public key's text as a secret", Forge.hmac(hs256, claims, pem)),
        arguments("the public key's bytes as a secret", Forge.hmac(hs256, claims, der)),
        arguments("an empty secret", Forge.hmac(hs256, claims, new byte[] {0})),
        arguments("RS256 said, HS256 done", Forge.hmac(RS256, claims, pem)),
        arguments("another RSA algorithm", header("{\"alg\":\"RS512\"}")),
        arguments("no algorithm", header("{\"typ\":\"JWT\"}")),
        arguments("an algorithm that is no string", header("{\"alg\":256}")),
        arguments("an unknown algorithm", header("{\"alg\":\"XX\"}")),
        // The key.
        arguments("another key", Forge.rsa(RS256, claims, theirs.getPrivate())),
        arguments(
            "another key, sent along as jwk",
            Forge.rsa("{\"alg\":\"RS256\",\"jwk\":" + jwk + "}", claims, theirs.getPrivate())),
        arguments(
            "another key, to be fetched by jku",
            Forge.rsa(
                "{\"alg\":\"RS256\",\"kid\":\"x\",\"jku\":\"http://127.0.0.1:1/jwks\"}",
                claims,
                theirs.getPrivate())),
        arguments(
            "another key, to be fetched by x5u",
            Forge.rsa(
                "{\"alg\":\"RS256\",\"x5u\":\"http://127.0.0.1:1/x\"}",
                claims,
                theirs.getPrivate())),
        arguments(
            "a kid that is a path",
            Forge.rsa(
                "{\"alg\":\"RS256\",\"kid\":\"../../dev/null\"}", claims, theirs.getPrivate())),
        // Header and form.
        arguments(
            "an unknown critical header", header("{\"alg\":\"RS256\",\"crit\":[\"x\"],\"x\":1}")),
        arguments("crit of a wrong type", header("{\"alg\":\"RS256\",\"crit\":1}")),
        arguments(
            "the payload not encoded",
            header("{\"alg\":\"RS256\",\"crit\":[\"b64\"],\"b64\":false}")),
        arguments("a header that is no JSON", header("alg")),
        arguments("a header that is an array", header("[]")),
        arguments("no signature", parts[0] + "." + parts[1] + "."),
        arguments("no signature and no dot", parts[0] + "." + parts[1]),
        arguments("half a signature", good.substring(0, good.length() - 100)),
        arguments("a changed signature", changed(good, good.length() - 20)),
        arguments("changed claims", parts[0] + "." + changed(parts[1], 12) + "." + parts[2]),
        arguments(
            "other claims",
            parts[0] + "." + Forge.base64(claims("\"boris\"", "").getBytes()) + "." + parts[2]),
        arguments("four parts", good + ".x"),
        arguments(
            "an encrypted one",
            "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA"),
        arguments("one dot", "."),
        arguments("dots only", "...."),
        arguments("no token", "x"),
        arguments(
            "a token in itself",
            Forge.rsa("{\"alg\":\"RS256\",\"cty\":\"JWT\"}", good, theirs.getPrivate())),
        // Time.
        arguments("expired", with("\"exp\":" + (NOW - 120) + ",")),
        arguments(
            "no expiry",
            signed(
                "{\"sub\":\"anya\",\"iss\":\""
                    + setting("mp.jwt.verify.issuer")
                    + "\",\"iat\":"
                    + NOW
                    + "}")),
        arguments("an expiry that is a text", with("\"exp\":\"tomorrow\",")),
        arguments("an expiry before its issue", with("\"iat\":" + (NOW + 700) + ",")),
        arguments("not yet valid", with("\"nbf\":" + (NOW + 300) + ",")),
        arguments("a not-before that is an object", with("\"nbf\":{},")),
        // Who issued it.
        arguments("another issuer", with("\"iss\":\"https://evil.example\",")),
        arguments("a longer issuer", with("\"iss\":\"" + setting("mp.jwt.verify.issuer") + "/\",")),
        arguments(
            "an issuer that is a list",
            with("\"iss\":[\"" + setting("mp.jwt.verify.issuer") + "\"],")),
        // Whose it is.
        arguments("no sub", as(null)),
        arguments("no sub, but a upn", signed(claims(null, "\"upn\":\"anya\","))),
        arguments("sub null", as("null")),
        arguments("an empty sub", as("\"\"")),
        arguments("a blank sub", as("\" \\u2003 \"")),
        arguments("a sub of 201 units", as("\"" + "я".repeat(201) + "\"")),
        arguments("NUL in sub", as("\"a\\u0000b\"")),
        arguments("a line feed in sub", as("\"anya\\nWARN forged\"")),
        arguments("a C1 control in sub", as("\"a\\u0085b\"")),
        arguments("half a surrogate pair", as("\"a\\ud83d\"")),
        arguments("halves in the wrong order", as("\"\\ude00\\ud83d\"")),
        arguments("sub a number", as("17")),
        arguments("sub a boolean", as("true")),
        arguments("sub an array", as("[\"anya\"]")),
        arguments("sub an object", as("{\"id\":\"anya\"}")),
        arguments("claims that are an array", signed("[]")),
        arguments("claims that are no JSON", signed("sub=anya")),
        // Roles.
        arguments("groups a number", with("\"groups\":5,")),
        arguments("groups an object", with("\"groups\":{\"editor\":true},")),
        arguments("groups with a number", with("\"groups\":[\"editor\",5],")),
        arguments("a upn that is a number", with("\"upn\":5,")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void aBadTokenIs401AndNothingElse(String what, String token) {
    for (Response answer :
        new Response[] {
          given().header("Authorization", "Bearer " + token).get("/sync/pull"),
          given()
              .header("Authorization", "Bearer " + token)
              .contentType("application/json")
              .body("{\"batch\":[]}")
              .post("/sync/push")
        }) {
      is401(answer);
    }
  }

  private static void is401(Response answer) {
    answer
        .then()
        .statusCode(401)
        .contentType("application/problem+json")
        .header("WWW-Authenticate", "Bearer")
        .body("code", equalTo("UNAUTHENTICATED"))
        .body(not(containsString("xception")))
        .body(not(containsString("jose4j")))
        .body(not(containsString("evil")));
  }

  static Stream<Arguments> good() {
    return Stream.of(
        arguments("the plain one", with("")),
        arguments(
            "a kid where one key is configured", header("{\"alg\":\"RS256\",\"kid\":\"any\"}")),
        arguments("a sub of 200 units", as("\"" + "я".repeat(200) + "\"")),
        arguments("a sub with signs", as("\"auth0|a/b%2F;'--\"")),
        arguments("a whole surrogate pair", as("\"\\ud83d\\ude00\"")),
        arguments(
            "expired within the skew of a minute",
            with("\"exp\":" + (NOW - 20) + ",\"iat\":" + (NOW - 600) + ",")),
        arguments("valid in a moment, within the skew", with("\"nbf\":" + (NOW + 20) + ",")),
        arguments("a clock of the issuer that is ahead", with("\"iat\":" + (NOW + 20) + ",")),
        arguments("an expiry in milliseconds", with("\"exp\":" + NOW * 1000 + ",")),
        arguments("any audience, if none is set", with("\"aud\":\"another\",")),
        arguments("groups as one text", with("\"groups\":\"editor support\",")),
        arguments("no groups", with("\"groups\":null,")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("good")
  void aGoodTokenIsTaken(String what, String token) {
    given().header("Authorization", "Bearer " + token).get("/sync/pull").then().statusCode(200);
  }

  @Test
  void aTokenCountsInOnePlaceOnly() {
    String token = with("\"groups\":[\"editor\"],");
    is401(given().get("/sync/pull"));
    is401(given().queryParam("access_token", token).get("/sync/pull"));
    is401(given().cookie("Bearer", token).get("/sync/pull"));
    is401(given().header("Cookie", "Bearer=" + token).get("/sync/pull"));
    is401(given().header("X-Authorization", "Bearer " + token).get("/sync/pull"));
    is401(given().header("Proxy-Authorization", "Bearer " + token).get("/sync/pull"));
    for (String value :
        new String[] {
          token,
          "Basic " + token,
          "Bearer",
          "Bearer ",
          "Bearer  " + token,
          "Bearer\t" + token,
          "Bearer " + token + "," + token,
          "Bearer " + token + ", Bearer " + token
        }) {
      is401(given().header("Authorization", value).get("/sync/pull"));
    }
    given().header("Authorization", "bearer " + token).get("/sync/pull").then().statusCode(200);
  }

  @Test
  void twoTokensCountAsNone() {
    String token = with("");
    is401(
        given()
            .header("Authorization", "Bearer " + token)
            .header("Authorization", "Bearer " + token)
            .get("/sync/pull"));
    given()
        .header("Authorization", "Bearer " + token)
        .header("Authorization", "Bearer " + token)
        .get("/q/health/live")
        .then()
        .statusCode(200);
  }

  @Test
  void aTokenLongerThanAHeaderMayBeEndsTheRequest() {
    String token = with("\"filler\":\"" + "x".repeat(5_000) + "\",");
    given().header("Authorization", "Bearer " + token).get("/sync/pull").then().statusCode(200);
    String longer = with("\"filler\":\"" + "x".repeat(6_000) + "\",");
    // The problem in its answer is the packaged service's: LimitsIT.
    given().header("Authorization", "Bearer " + longer).get("/sync/pull").then().statusCode(431);
  }

  @Test
  void aTokenWithoutTheRoleIs403() {
    given()
        .header("Authorization", "Bearer " + with("\"groups\":[\"Editor\"],"))
        .get("/publications/1")
        .then()
        .statusCode(403)
        .contentType("application/problem+json")
        .body("code", equalTo("FORBIDDEN"));
  }

  private static String changed(String token, int at) {
    char c = token.charAt(at) == 'A' ? 'B' : 'A';
    return token.substring(0, at) + c + token.substring(at + 1);
  }

  private static String jwk(KeyPair pair) throws Exception {
    return org.jose4j.jwk.JsonWebKey.Factory.newJwk(pair.getPublic()).toJson();
  }
}
