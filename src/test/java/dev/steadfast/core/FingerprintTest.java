package dev.steadfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The encoding against a second one, written down by hand. */
class FingerprintTest {

  @Test
  void itIsTheHashThatItsDocumentationSays() throws Exception {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.beginObject();
    fingerprint.name("weightKg");
    fingerprint.number("80.50");
    fingerprint.name("exercise");
    fingerprint.text("жим");
    fingerprint.endObject();

    MessageDigest members = MessageDigest.getInstance("SHA-256");
    text(members, "exercise");
    text(members, "жим");
    text(members, "weightKg");
    BigDecimal stripped = new BigDecimal("80.50").stripTrailingZeros();
    members.update((byte) 'n');
    members.update((byte) (2 * stripped.scale()));
    text(members, stripped.unscaledValue().toString());

    MessageDigest whole = MessageDigest.getInstance("SHA-256");
    text(whole, "A-1");
    whole.update(ByteBuffer.allocate(8).putLong(1757577000123L).array());
    whole.update((byte) '{');
    whole.update(members.digest());
    assertThat(fingerprint.finish("A-1", 1757577000123L))
        .isEqualTo(ByteBuffer.wrap(whole.digest()).getLong());
  }

  @Test
  void membersAreSortedWhateverTheirNumberAndTheLengthOfTheirNames() {
    Random random = new Random(3);
    for (int round = 0; round < 300; round++) {
      List<String> names = new ArrayList<>();
      for (int i = random.nextInt(40); i > 0; i--) {
        names.add("\uD83D\uDE00aZ".substring(random.nextInt(3)).repeat(random.nextInt(120)) + i);
      }
      long before = of(names);
      Collections.shuffle(names, random);
      assertThat(of(names)).isEqualTo(before);
      names.add("another");
      assertThat(of(names)).isNotEqualTo(before);
    }
  }

  private static long of(List<String> names) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.beginObject();
    for (String name : names) {
      fingerprint.name(name);
      fingerprint.text(name);
    }
    fingerprint.endObject();
    return fingerprint.finish("r", 1);
  }

  private static void text(MessageDigest digest, String text) {
    digest.update((byte) 't');
    digest.update((byte) text.length());
    digest.update(text.getBytes(StandardCharsets.UTF_16BE));
  }
}
