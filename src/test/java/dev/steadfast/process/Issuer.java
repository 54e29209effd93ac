package dev.steadfast.process;

import com.sun.net.httpserver.HttpServer;
import dev.steadfast.identity.Forge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/** An issuer of tokens that publishes its keys, changes them, and is not always there. */
final class Issuer implements AutoCloseable {
  final AtomicInteger asked = new AtomicInteger();

  private final Map<String, KeyPair> keys = new LinkedHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int port;
  private volatile String published = "{\"keys\":[]}";
  private volatile CountDownLatch answers = new CountDownLatch(0);
  private HttpServer server;

  /** Has an address, where nobody answers yet. */
  Issuer() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
  }

  String address() {
    return "http://127.0.0.1:" + port + "/jwks.json";
  }

  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext(
        "/jwks.json",
        exchange -> {
          asked.incrementAndGet();
          try {
            answers.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] body = published.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** From here on requests are taken and not answered, until {@link #answer()}. */
  void hang() {
    answers = new CountDownLatch(1);
  }

  void answer() {
    answers.countDown();
  }

  void shut() {
    server.stop(0);
  }

  /** Publishes exactly these keys; a new name is a new key. */
  void publish(String... kids) {
    StringBuilder list = new StringBuilder();
    for (String kid : kids) {
      list.append(list.isEmpty() ? "" : ",").append(jwk(kid));
    }
    published = "{\"keys\":[" + list + "]}";
  }

  private String jwk(String kid) {
    try {
      PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(key(kid).getPublic());
      key.setKeyId(kid);
      return key.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyPair key(String kid) {
    return keys.computeIfAbsent(
        kid,
        name -> {
          try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
          } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** A token by this key, with claims beside the usual ones. */
  String token(String kid, String... claims) {
    return token(kid, key(kid), claims);
  }

  /** A token that names a key of which nobody has heard. */
  String strange(String kid) {
    return token(kid, key("a stranger's"), "\"aud\":\"steadfast\"");
  }

  private static String token(String kid, KeyPair key, String... claims) {
    long now = System.currentTimeMillis() / 1000;
    String more =
        Map.of("iat", now, "exp", now + 600).entrySet().stream()
            .map(claim -> ",\"" + claim.getKey() + "\":" + claim.getValue())
            .collect(Collectors.joining());
    String all =
        "{\"sub\":\"anya\",\"iss\":\""
            + ServiceProcess.ISSUER
            + "\""
            + more
            + (claims.length == 0 ? "" : "," + String.join(",", claims))
            + "}";
    return Forge.rsa("{\"alg\":\"RS256\",\"kid\":\"" + kid + "\"}", all, key.getPrivate());
  }

  @Override
  public void close() {
    answer();
    shut();
    threads.shutdownNow();
  }
}
