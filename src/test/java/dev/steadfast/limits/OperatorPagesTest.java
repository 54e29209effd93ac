package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorPagesTest {
  private final OperatorPages pages = new OperatorPages();

  @ParameterizedTest
  @ValueSource(strings = {"/q/metrics", "/q/metrics/", "/q/metrics/x"})
  void everyAddressOfTheMetricsIsOnePage(String path) {
    assertThat(pages.page(path)).isPresent().isEqualTo(pages.page("/q/metrics"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/q/openapi", "/q/openapi/", "/q/openapi.json", "/q/openapi.yaml"})
  void everyAddressOfTheDocumentIsOnePage(String path) {
    assertThat(pages.page(path)).isPresent().isEqualTo(pages.page("/q/openapi"));
  }

  @Test
  void otherPagesAreNotLimitedHere() {
    assertThat(pages.page("/q/health/live")).isEmpty();
    assertThat(pages.page("/sync/pull")).isEmpty();
  }
}
