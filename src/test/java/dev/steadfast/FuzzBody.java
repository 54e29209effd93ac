package dev.steadfast;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Bodies of pushes: some valid, most of them nearly so, a few of mere bytes. */
final class FuzzBody {
  /** What breaks readers of JSON, of numbers, of text, and stores. */
  private static final String[] SPICE = {
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "-",
    "0",
    "00",
    "1.0",
    "1e999999999",
    "-0",
    "9007199254740993",
    "9".repeat(60),
    "1e-400",
    "\\u0000",
    "\\ud800",
    "\\",
    "\uD83D\uDE00",
    "\u2028",
    "/*",
    "NaN",
    "Infinity",
    "'",
    "\"batch\":",
    "\"opId\":\"A:1\",",
    "\"deleted\":true,",
    "\"at\":-1,",
    "\"schema\":99,",
    "\t",
    "\n",
    "\u0007",
    "[".repeat(200),
    "{\"a\":".repeat(50),
    " ".repeat(300)
  };

  private static final String[] NAMES = {
    "exercise", "weightKg", "reps", "deleted", "note", "", "\\u0000", "\uD83D\uDE00", "__proto__"
  };

  private static final String[] VALUES = {
    "\"присед\"",
    "100",
    "5",
    "8.25e1",
    "101",
    "true",
    "false",
    "null",
    "\"\"",
    "[]",
    "{\"a\":[1,{}]}",
    "\"\\u0000\"",
    "\"\\udc00\"",
    "1e131072",
    "\"" + "ж".repeat(201) + "\"",
    "-1",
    "1e-301"
  };

  private final Random random;
  private int named;

  FuzzBody(Random random) {
    this.random = random;
  }

  byte[] next() {
    byte[] body = batch().getBytes(StandardCharsets.UTF_8);
    int kind = random.nextInt(10);
    if (kind == 0) {
      random.nextBytes(body);
      return body;
    }
    for (int i = kind < 5 ? 0 : 1 + random.nextInt(3); i > 0; i--) {
      body = mutated(body);
    }
    return body;
  }

  /** A short text for a place where there should be another one. */
  String text() {
    String text = one(SPICE) + one(SPICE);
    return random.nextBoolean() ? Integer.toString(random.nextInt(2_000) - 100) : text;
  }

  private String batch() {
    return "{\"batch\":["
        + IntStream.rangeClosed(0, random.nextInt(6))
            .mapToObj(i -> operation())
            .collect(Collectors.joining(","))
        + "]}";
  }

  private String operation() {
    String opId = "D:" + (random.nextInt(4) == 0 ? random.nextInt(named + 1) : ++named);
    String fields =
        random.nextBoolean()
            ? "\"exercise\":\"присед\",\"weightKg\":100,\"reps\":5"
            : IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> "\"" + one(NAMES) + "\":" + one(VALUES))
                .collect(Collectors.joining(","));
    long at = random.nextInt(20) == 0 ? 9_007_199_254_740_991L : random.nextInt(1_000);
    return "{\"opId\":\"%s\",\"rowId\":\"r%d\",\"at\":%d,\"fields\":{%s}%s}"
        .formatted(
            opId,
            random.nextInt(5),
            at,
            fields,
            random.nextInt(10) == 0 ? ",\"schema\":" + random.nextInt(3) : "");
  }

  private byte[] mutated(byte[] body) {
    if (body.length == 0) {
      return body;
    }
    int from = random.nextInt(body.length);
    int to = from + random.nextInt(Math.min(40, body.length - from) + 1);
    byte[] cut = Arrays.copyOfRange(body, from, to);
    return switch (random.nextInt(6)) {
      case 0 -> joined(Arrays.copyOf(body, from), Arrays.copyOfRange(body, to, body.length));
      case 1 -> joined(Arrays.copyOf(body, to), cut, Arrays.copyOfRange(body, to, body.length));
      case 2 -> Arrays.copyOf(body, from);
      case 3 -> {
        byte[] flipped = body.clone();
        flipped[from] ^= (byte) (1 << random.nextInt(8));
        yield flipped;
      }
      default ->
          joined(
              Arrays.copyOf(body, from),
              one(SPICE).getBytes(StandardCharsets.UTF_8),
              Arrays.copyOfRange(body, random.nextBoolean() ? from : to, body.length));
    };
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private String one(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
