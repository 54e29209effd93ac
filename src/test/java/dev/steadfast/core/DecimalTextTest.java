package dev.steadfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {

  @Test
  void itAgreesWithBigDecimal() {
    long seed = Long.getLong("oracle.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      String token = token(random);
      BigDecimal stripped = new BigDecimal(token).stripTrailingZeros();
      DecimalText text = DecimalText.of(token);
      assertThat(text.digits() + " " + text.scale())
          .as("%s, -Doracle.seed=%d", token, seed)
          .isEqualTo(stripped.unscaledValue() + " " + stripped.scale());
    }
  }

  private static String token(Random random) {
    StringBuilder token = new StringBuilder(random.nextBoolean() ? "-" : "");
    token.append(random.nextInt(3) == 0 ? "0" : (1 + random.nextInt(9)) + digits(random));
    if (random.nextBoolean()) {
      token.append('.').append(random.nextInt(10)).append(digits(random));
    }
    if (random.nextBoolean()) {
      token.append(random.nextBoolean() ? 'e' : 'E');
      token.append(new String[] {"", "+", "-"}[random.nextInt(3)]);
      token.append("0".repeat(random.nextInt(3))).append(random.nextInt(400));
    }
    return token.toString();
  }

  private static String digits(Random random) {
    StringBuilder digits = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      digits.append(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
    }
    return digits.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.000",
        "0e99999999999999999999",
        "1",
        "80.0",
        "-12.50",
        "1e300",
        "-1e300",
        "10e299",
        "0.1e301",
        "1e-300",
        "-1.00e-300",
        "9007199254740993",
        "9.99e299",
        "1234567890123456789012345678901234567890"
      })
  void aUsableNumberIsKept(String token) {
    assertThat(DecimalText.value(token)).isInstanceOf(FieldValue.Number.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1e300",
        "2e300",
        "-1e301",
        "1e400",
        "1e131072",
        "9e-301",
        "1e-301",
        "1e999999999999999999",
        "1e99999999999999999999999",
        "1e-99999999999999999999999",
        "12345678901234567890123456789012345678901"
      })
  void anUnusableNumberIsNotExpanded(String token) {
    assertThat(DecimalText.value(token)).isEqualTo(FieldValue.Unusable.NUMBER_OUT_OF_RANGE);
  }

  @Test
  void aMillionDigitsAreTakenApartInOnePass() {
    String token = "0." + "0".repeat(1_000_000) + "1" + "0".repeat(1_000_000);
    assertThat(DecimalText.of(token)).isEqualTo(new DecimalText("1", 1_000_001, true));
    assertThat(DecimalText.value(token)).isEqualTo(FieldValue.Unusable.NUMBER_OUT_OF_RANGE);
  }

  static Stream<Arguments> spellings() {
    return Stream.of(
        arguments("80", "80"),
        arguments("80.0", "80.0"),
        arguments("1e2", "100"),
        arguments("1.50e1", "15.0"),
        arguments("-0", "0"),
        arguments("-0.0", "0.0"),
        arguments("0e-5", "0"),
        arguments("1e-7", "0.0000001"),
        arguments("1e39", "1" + "0".repeat(39)),
        arguments("1e40", "1e40"),
        arguments("1e300", "1e300"),
        arguments("-1.5e-300", "-15e-301"));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void aNumberIsGivenOutAsWrittenWhereThatIsShort(String token, String json) {
    FieldValue.Number value = (FieldValue.Number) DecimalText.value(token);
    assertThat(DecimalText.json(value.number())).isEqualTo(json);
  }

  @Test
  void whatIsGivenOutCanBeSentBack() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      if (DecimalText.value(token(random)) instanceof FieldValue.Number number) {
        String json = DecimalText.json(number.number());
        BigDecimal again = ((FieldValue.Number) DecimalText.value(json)).number();
        assertThat(again).isEqualByComparingTo(number.number());
      }
    }
  }
}
