package dev.steadfast.outbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Who is told: an HTTP address that takes a CloudEvent in structured mode and answers 2xx. */
final class Receiver {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final URI target;
  // HTTP/1.1: over plain text HTTP/2 would ask for an upgrade with every event.
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();

  Receiver(URI target) {
    this.target = target;
  }

  /**
   * Sends an event.
   *
   * @param limit the longest until the answer is read to its end
   * @return null if the receiver has it, else what went wrong; never fails
   */
  CompletableFuture<String> send(String event, Duration limit) {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .header("Content-Type", "application/cloudevents+json; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(event))
            .build();
    CompletableFuture<HttpResponse<Void>> call =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    CompletableFuture<String> result =
        call.thenApply(
                response ->
                    response.statusCode() / 100 == 2 ? null : "status " + response.statusCode())
            .completeOnTimeout(
                "no answer within " + limit.toMillis() + " ms",
                limit.toMillis(),
                TimeUnit.MILLISECONDS)
            .exceptionally(Receiver::words);
    // Ends the exchange of a call that took too long; of no effect on one that is over.
    return result.whenComplete((failure, thrown) -> call.cancel(true));
  }

  private static String words(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String text = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return text.substring(0, Math.min(text.length(), 200));
  }
}
