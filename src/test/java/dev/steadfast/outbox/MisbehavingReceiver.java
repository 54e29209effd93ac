package dev.steadfast.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP receiver that writes down what it gets, and answers as badly as it is told to. */
final class MisbehavingReceiver implements AutoCloseable {
  /** How one request is answered. */
  enum Answer {
    GOOD,
    ERROR,
    /** Longer than the relay waits. */
    LATE,
    /** The connection is closed after the event was received. */
    NONE
  }

  /** Decides from an event's id and the number of the try, from 1. */
  interface Manner {
    Answer answer(String id, int attempt);
  }

  /** What was received. */
  record Receipt(String id, String subject, int version, String body, String type, Answer answer) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LATE_MILLIS = 400;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Manner manner;
  private final List<Receipt> receipts = new ArrayList<>();
  private final Map<String, Integer> attempts = new HashMap<>();

  MisbehavingReceiver(Manner manner) throws IOException {
    this.manner = manner;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/events", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/events");
  }

  synchronized List<Receipt> receipts() {
    return List.copyOf(receipts);
  }

  private synchronized Answer write(String body, String type) throws IOException {
    JsonNode event = JSON.readTree(body);
    String id = event.path("id").textValue();
    Answer answer = manner.answer(id, attempts.merge(id, 1, Integer::sum));
    int version = event.path("data").path("version").intValue();
    receipts.add(new Receipt(id, event.path("subject").textValue(), version, body, type, answer));
    return answer;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Answer answer = write(body, exchange.getRequestHeaders().getFirst("Content-Type"));
    if (answer == Answer.NONE) {
      exchange.close();
      return;
    }
    if (answer == Answer.LATE) {
      try {
        Thread.sleep(LATE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
    exchange.sendResponseHeaders(answer == Answer.ERROR ? 500 : 204, -1);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
