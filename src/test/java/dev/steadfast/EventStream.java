package dev.steadfast;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A device that listens for events. */
public final class EventStream implements AutoCloseable {
  private final BufferedReader lines;

  private EventStream(InputStream in) {
    lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** Opens the stream of the token's person. */
  public static EventStream open(String base, String token) throws Exception {
    HttpResponse<InputStream> answer = send(base, token);
    if (answer.statusCode() != 200) {
      throw new AssertionError("no stream but " + answer.statusCode());
    }
    return new EventStream(answer.body());
  }

  /** The status that a stream is answered with. */
  public static int status(String base, String token) throws Exception {
    return send(base, token).statusCode();
  }

  private static HttpResponse<InputStream> send(String base, String token) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/sync/events"))
            .header("Authorization", "Bearer " + token)
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
  }

  /** The next event as {@code name data}; null at the end of the stream. Comments are passed by. */
  public String next() throws IOException {
    String name = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event:")) {
        name = line.substring("event:".length());
      } else if (line.startsWith("data:")) {
        return name + " " + line.substring("data:".length());
      }
    }
    return null;
  }

  /** The next line as it is. */
  public String nextLine() throws IOException {
    return lines.readLine();
  }

  /** The next comment; null at the end of the stream. */
  public String comment() throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith(":")) {
      line = lines.readLine();
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
