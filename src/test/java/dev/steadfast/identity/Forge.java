package dev.steadfast.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens byte by byte, as no library would: header and claims are texts. */
public final class Forge {
  private Forge() {}

  /** Signed with RSA, whatever the header says. */
  public static String rsa(String header, String claims, PrivateKey key) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      String signed = unsigned(header, claims);
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Signed with a shared secret. */
  static String hmac(String header, String claims, byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      String signed = unsigned(header, claims);
      return signed + "." + base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Header and claims, without the last dot. */
  static String unsigned(String header, String claims) {
    return base64(header.getBytes(StandardCharsets.UTF_8))
        + "."
        + base64(claims.getBytes(StandardCharsets.UTF_8));
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
