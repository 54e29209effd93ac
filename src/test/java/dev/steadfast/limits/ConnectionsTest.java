package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final List<Channel> channels = new ArrayList<>();
  private final Connections connections = new Connections(16, metrics);

  private Optional<Channel> open() {
    Channel channel = new EmbeddedChannel();
    channels.add(channel);
    return connections.opened(channel);
  }

  private void openBusy(int count) {
    for (int i = 0; i < count; i++) {
      open();
      connections.arrived(channels.get(channels.size() - 1));
    }
  }

  private void openIdle(int count) {
    openBusy(count);
    channels.subList(channels.size() - count, channels.size()).forEach(connections::idle);
  }

  @Test
  void theEldestWithoutARequestMakesRoom() {
    for (int i = 0; i < 16; i++) {
      assertThat(open()).isEmpty();
    }
    assertThat(open()).hasValue(channels.get(0));
    assertThat(open()).hasValue(channels.get(1));
    connections.closed(channels.get(5));
    assertThat(open()).isEmpty();
    assertThat(count()).isEqualTo(16);
    assertThat(metrics.get("steadfast.limits.connections.closed").counter().count()).isEqualTo(2);
  }

  @Test
  void theOneThatIsIdleForLongestMakesRoomIfMoreAreIdle() {
    openIdle(9);
    connections.arrived(channels.get(0));
    connections.idle(channels.get(0));
    for (int i = 0; i < 7; i++) {
      assertThat(open()).isEmpty();
    }
    assertThat(open()).as("nine idle, eight fresh").hasValue(channels.get(1));
    assertThat(open()).as("eight idle, nine fresh").hasValue(channels.get(9));
    assertThat(open()).as("eight idle, nine fresh").hasValue(channels.get(10));
    assertThat(count()).isEqualTo(16);
  }

  @Test
  void whoIsBusyOverAndOverTakesNobodysPlace() {
    openIdle(15);
    open();
    Channel probe = channels.get(15);
    for (int i = 0; i < 100; i++) {
      Channel flapping = channels.get(i % 15);
      connections.arrived(flapping);
      connections.idle(flapping);
    }
    for (int i = 0; i < 6; i++) {
      assertThat(open()).get().isNotSameAs(probe);
    }
  }

  @Test
  void anEighthOfThePlacesIsKeptForThoseWithoutARequest() {
    openBusy(13);
    for (int i = 0; i < 3; i++) {
      assertThat(open()).isEmpty();
    }
    assertThat(open()).as("the eldest of four fresh ones").hasValue(channels.get(13));
    connections.arrived(channels.get(14));
    connections.arrived(channels.get(15));
    assertThat(open()).as("the one whose request came first").hasValue(channels.get(0));
    assertThat(count()).isEqualTo(16);
  }

  @Test
  void aNewOneIsNotClosedForBusyOnes() {
    openBusy(100);
    assertThat(count()).isEqualTo(16);
    assertThat(open()).hasValue(channels.get(84));
    assertThat(open()).hasValue(channels.get(85));
    assertThat(open()).as("two fresh ones and this one").hasValue(channels.get(100));
  }

  @Test
  void whoIsClosedIsNotCountedAgain() {
    openBusy(2);
    open();
    Channel busy = channels.get(0);
    Channel fresh = channels.get(2);
    connections.closed(busy);
    connections.closed(fresh);
    connections.idle(busy);
    connections.arrived(fresh);
    connections.idle(fresh);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void thoseWithARequestAreClosedWithThePod() {
    openBusy(2);
    open();
    openIdle(1);
    connections.closeBusy();
    assertThat(channels).extracting(Channel::isOpen).containsExactly(false, false, true, true);
  }

  private double count() {
    return metrics.get("steadfast.limits.connections").gauge().value();
  }
}
