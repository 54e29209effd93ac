package dev.steadfast.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EnvironmentNamesTest {

  @Test
  void settingsAreKnownByTheirEnvironmentNames() {
    assertThat(
            EnvironmentNames.unknown(
                List.of(
                    "STEADFAST_CLOCK_MAX_AHEAD",
                    "STEADFAST_CONTRACT_LOCATION",
                    "STEADFAST_OUTBOX_TARGET",
                    "STEADFAST_JWKS_TIMEOUT",
                    "PATH",
                    "OTHER_STEADFAST_X",
                    "QUARKUS_HTTP_PORT")))
        .isEmpty();
  }

  @Test
  void aMisspeltOneIsNamedWithWhatWasMeant() {
    assertThat(
            EnvironmentNames.unknown(
                List.of(
                    "STEADFAST_CLOK_MAX_AHEAD",
                    "STEADFAST_CLOCK_MAXAHEAD",
                    "STEADFAST_WHATEVER",
                    "steadfast.clock.max-ahaed",
                    "steadfast.clock.max-ahead")))
        .containsExactly(
            "STEADFAST_CLOCK_MAXAHEAD (STEADFAST_CLOCK_MAX_AHEAD?)",
            "STEADFAST_CLOK_MAX_AHEAD (STEADFAST_CLOCK_MAX_AHEAD?)",
            "STEADFAST_WHATEVER",
            "steadfast.clock.max-ahaed (STEADFAST_CLOCK_MAX_AHEAD?)");
  }

  @Test
  void whatKubernetesTellsAboutServicesIsNoSetting() {
    assertThat(
            EnvironmentNames.unknown(
                List.of(
                    "STEADFAST_SERVICE_HOST",
                    "STEADFAST_SERVICE_PORT",
                    "STEADFAST_SERVICE_PORT_HTTP",
                    "STEADFAST_PORT",
                    "STEADFAST_PORT_8080_TCP",
                    "STEADFAST_PORT_8080_TCP_PROTO",
                    "STEADFAST_PORT_8080_TCP_PORT",
                    "STEADFAST_PORT_8080_TCP_ADDR",
                    "STEADFAST_PORT_53_UDP_ADDR",
                    "STEADFAST_DB_SERVICE_HOST",
                    "STEADFAST_DB_PORT_5432_TCP")))
        .isEmpty();
  }
}
