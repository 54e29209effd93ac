package dev.steadfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
    members.update(ByteBuffer.allocate(8).putLong(stripped.scale()).array());
    text(members, stripped.unscaledValue().toString());

    MessageDigest whole = MessageDigest.getInstance("SHA-256");
    text(whole, "A-1");
    whole.update(ByteBuffer.allocate(8).putLong(1757577000123L).array());
    whole.update((byte) '{');
    whole.update(members.digest());
    assertThat(fingerprint.finish("A-1", 1757577000123L))
        .isEqualTo(ByteBuffer.wrap(whole.digest()).getLong());
  }

  private static void text(MessageDigest digest, String text) {
    digest.update((byte) 't');
    digest.update(ByteBuffer.allocate(4).putInt(text.length()).array());
    digest.update(text.getBytes(StandardCharsets.UTF_16BE));
  }
}
