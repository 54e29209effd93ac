package dev.steadfast.bench;

import java.util.Map;

/** A push that is one POST, whose answer names the fate of its operations. */
final class HttpPush implements Contender.Push {
  /** For answers that do not speak of single operations. */
  static final int AT_LEAST_ONCE = -1;

  private static final int SHOWN = 600;

  private final String url;
  private final Map<String, String> headers;
  private final byte[] body;
  private final String fate;
  private final int times;
  private byte[] answer;

  /**
   * @param fate what the answer must have
   * @param times how often
   */
  HttpPush(String url, Map<String, String> headers, byte[] body, String fate, int times) {
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.fate = fate;
    this.times = times;
  }

  @Override
  public void send() throws Exception {
    answer = Http.post(url, headers, body);
  }

  @Override
  public void check() {
    int found = Http.count(answer, fate);
    if (times == AT_LEAST_ONCE ? found == 0 : found != times) {
      String text = Http.text(answer);
      throw new IllegalStateException(
          "%s answered %s %d times instead of %d: %s"
              .formatted(
                  url, fate, found, times, text.substring(0, Math.min(SHOWN, text.length()))));
    }
  }
}
