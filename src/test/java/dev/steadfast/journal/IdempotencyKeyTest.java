package dev.steadfast.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.steadfast.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

  @Test
  void quotedAndBareAreOneKey() {
    assertThat(IdempotencyKey.of(List.of("\"op-1\""))).isEqualTo("op-1");
    assertThat(IdempotencyKey.of(List.of(" op-1 "))).isEqualTo("op-1");
    assertThat(IdempotencyKey.of(List.of("\"a \\\"b\\\\\""))).isEqualTo("a \"b\\");
    assertThat(IdempotencyKey.of(List.of("a\"b"))).isEqualTo("a\"b");
    assertThat(IdempotencyKey.of(List.of("k".repeat(120)))).hasSize(120);
    assertThat(IdempotencyKey.of(List.of("\"" + "\\\"".repeat(120) + "\""))).hasSize(120);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "\"\"",
        "\"",
        "\"op",
        "\"op\"x",
        "\"op\";a=1",
        "\"a\\b\"",
        "\"a\\",
        "\"a\\\"",
        "ключ",
        "a\tb",
        "a\u007fb",
        "\"\u0001\""
      })
  void anotherFormIsRefused(String value) {
    assertThatThrownBy(() -> IdempotencyKey.of(List.of(value)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("Idempotency-Key must be");
  }

  @Test
  void tooLongAndTwiceAreRefused() {
    for (List<String> values :
        List.of(
            List.of("k".repeat(121)), List.of("\"" + "k".repeat(121) + "\""), List.of("a", "a"))) {
      assertThatThrownBy(() -> IdempotencyKey.of(values)).isInstanceOf(ProblemException.class);
    }
  }
}
