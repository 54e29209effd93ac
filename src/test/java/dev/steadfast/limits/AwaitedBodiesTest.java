package dev.steadfast.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AwaitedBodiesTest {
  private final AwaitedBodies bodies =
      new AwaitedBodies(new Connections(24, new SimpleMeterRegistry()));
  private final List<Integer> givenUp = new ArrayList<>();

  private Runnable body(int number) {
    return () -> givenUp.add(number);
  }

  @Test
  void theOneThatIsAwaitedForLongestIsGivenUp() {
    Runnable first = body(1);
    Runnable second = body(2);
    bodies.begin(first);
    bodies.begin(second);
    bodies.begin(body(3));
    assertThat(givenUp).isEmpty();
    bodies.end(first);
    bodies.begin(body(4));
    assertThat(givenUp).isEmpty();
    bodies.begin(body(5));
    bodies.begin(body(6));
    assertThat(givenUp).containsExactly(2, 3);
    bodies.end(second);
    bodies.begin(body(7));
    assertThat(givenUp).containsExactly(2, 3, 4);
  }

  @Test
  void allAreGivenUpOnce() {
    Runnable here = body(1);
    bodies.begin(here);
    bodies.begin(body(2));
    bodies.begin(body(3));
    bodies.end(here);
    bodies.giveUpAll();
    bodies.giveUpAll();
    assertThat(givenUp).containsExactly(2, 3);
  }
}
