package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Database;
import dev.steadfast.dev.EmbeddedRoles;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Keys that an issuer publishes and changes, while it is not always there. */
class IssuerKeysIT {
  private static final String OURS = "\"aud\":[\"another\",\"steadfast\"]";
  private static final int STRANGERS = 100;

  @Test
  void keysComeAndGoAndTheIssuerToo() throws Exception {
    try (Issuer issuer = new Issuer();
        ServiceProcess service = ServiceProcess.start(settings(issuer.address()))) {
      theIssuerIsAwayAtTheStart(service, issuer);
      aNewKeyIsFoundByItsFirstToken(service, issuer);
      theAudienceIsChecked(service, issuer);
      aFloodOfUnknownKeysIsNoFloodAtTheIssuer(service, issuer);
      aSlowIssuerKeepsNobodyWaitingWhoseKeyIsKnown(service, issuer);
      knownKeysOutliveTheIssuer(service, issuer);
      aWithdrawnKeyEnds(service, issuer);
      assertThat(service.log()).doesNotContain("\tat ");
    }
  }

  private static Map<String, String> settings(String address) {
    Map<String, String> settings =
        new HashMap<>(
            ServiceProcess.settings(Database.url(EmbeddedRoles.SERVICE).replaceFirst("\\?.*", "")));
    settings.remove("MP_JWT_VERIFY_PUBLICKEY");
    settings.put("MP_JWT_VERIFY_PUBLICKEY_LOCATION", address);
    settings.put("MP_JWT_VERIFY_AUDIENCES", "steadfast");
    settings.put("STEADFAST_JWKS_REFRESH_INTERVAL", "1s");
    settings.put("STEADFAST_JWKS_UNKNOWN_KEY_PAUSE", "1s");
    return settings;
  }

  private static void theIssuerIsAwayAtTheStart(ServiceProcess service, Issuer issuer)
      throws Exception {
    assertThat(service.log()).contains(issuer.address());
    HttpResponse<String> answer = pull(service, issuer.token("old", OURS));
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("UNAVAILABLE").contains("keys").doesNotContain("127.0.0.1");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    issuer.publish("old");
    issuer.open();
    awaitStatus(service, issuer.token("old", OURS), 200);
  }

  private static void aNewKeyIsFoundByItsFirstToken(ServiceProcess service, Issuer issuer)
      throws Exception {
    String fresh = issuer.token("new", OURS);
    assertThat(pull(service, fresh).statusCode()).isEqualTo(401);
    issuer.publish("old", "new");
    Thread.sleep(1_100);
    assertThat(pull(service, fresh).statusCode()).isEqualTo(200);
    assertThat(pull(service, issuer.token("old", OURS)).statusCode()).isEqualTo(200);
  }

  private static void theAudienceIsChecked(ServiceProcess service, Issuer issuer) {
    for (String claim :
        List.of("\"aud\":\"another\"", "\"aud\":5", "\"aud\":[]", "\"azp\":\"x\"")) {
      HttpResponse<String> answer = pull(service, issuer.token("old", claim));
      assertThat(answer.statusCode()).as(claim).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }
  }

  private static void aFloodOfUnknownKeysIsNoFloodAtTheIssuer(
      ServiceProcess service, Issuer issuer) {
    int before = issuer.asked.get();
    long start = System.nanoTime();
    ExecutorService crowd = Executors.newFixedThreadPool(16);
    List<CompletableFuture<Integer>> strangers = new ArrayList<>();
    for (int i = 0; i < STRANGERS; i++) {
      String token = issuer.strange("kid-" + i);
      strangers.add(CompletableFuture.supplyAsync(() -> pull(service, token).statusCode(), crowd));
    }
    assertThat(strangers).allSatisfy(stranger -> assertThat(stranger.join()).isEqualTo(401));
    crowd.shutdown();
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    assertThat(issuer.asked.get() - before).isBetween(0, (int) seconds + 2);
  }

  private static void aSlowIssuerKeepsNobodyWaitingWhoseKeyIsKnown(
      ServiceProcess service, Issuer issuer) throws Exception {
    Thread.sleep(1_100);
    issuer.hang();
    int before = issuer.asked.get();
    CompletableFuture<Integer> stranger =
        CompletableFuture.supplyAsync(() -> pull(service, issuer.strange("x")).statusCode());
    while (issuer.asked.get() == before) {
      Thread.sleep(5);
    }
    assertThat(pull(service, issuer.token("old", OURS)).statusCode()).isEqualTo(200);
    assertThat(stranger).isNotDone();
    assertThat(stranger.get()).isEqualTo(503);
    issuer.answer();
  }

  private static void knownKeysOutliveTheIssuer(ServiceProcess service, Issuer issuer)
      throws Exception {
    issuer.shut();
    awaitStatus(service, issuer.strange("y"), 503);
    for (String kid : List.of("old", "new")) {
      assertThat(pull(service, issuer.token(kid, OURS)).statusCode()).isEqualTo(200);
    }
  }

  private static void aWithdrawnKeyEnds(ServiceProcess service, Issuer issuer) throws Exception {
    issuer.publish("new");
    issuer.open();
    awaitStatus(service, issuer.token("old", OURS), 401);
    assertThat(pull(service, issuer.token("new", OURS)).statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> pull(ServiceProcess service, String token) {
    return service.getAs(token, "/sync/pull");
  }

  private static void awaitStatus(ServiceProcess service, String token, int status)
      throws Exception {
    int last = 0;
    for (int i = 0; i < 200; i++) {
      last = pull(service, token).statusCode();
      if (last == status) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("never " + status + ", but " + last);
  }
}
