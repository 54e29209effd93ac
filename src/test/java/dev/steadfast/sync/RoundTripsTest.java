package dev.steadfast.sync;

import static dev.steadfast.Api.op;
import static dev.steadfast.Api.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Five round trips, whatever the batch: what a network between service and database multiplies. */
@QuarkusTest
class RoundTripsTest {

  private static String[] batch(String prefix, int size) {
    return IntStream.range(0, size)
        .mapToObj(n -> whole(prefix + n, "r" + n % 700, n))
        .toArray(String[]::new);
  }

  private static long count(Api api, String... operations) {
    long before = CountingSocketFactory.roundTrips().get();
    api.push(operations);
    return CountingSocketFactory.roundTrips().get() - before;
  }

  @Test
  void oneOperationAndAThousandCostTheSame() {
    Api api = Api.as("round-trips");
    api.push(whole("Z:0", "z", 1));
    assertThat(count(api, batch("A:", 1))).isEqualTo(5);
    assertThat(count(api, batch("B:", 1_000))).isEqualTo(5);
    assertThat(count(api, batch("C:", 1_000))).isEqualTo(5);
  }

  @Test
  void repeatsWriteNothing() {
    Api api = Api.as("round-trips-again");
    api.push(batch("A:", 1_000));
    assertThat(count(api, batch("A:", 1))).isEqualTo(3);
    assertThat(count(api, batch("A:", 1_000))).isEqualTo(3);
  }

  @Test
  void refusalsWriteNoRow() {
    Api api = Api.as("round-trips-refused");
    String[] refused =
        IntStream.range(0, 1_000)
            .mapToObj(n -> op("A:" + n, "r" + n, n, "\"reps\":800"))
            .toArray(String[]::new);
    assertThat(count(api, refused[0])).isEqualTo(4);
    assertThat(count(api, refused)).isEqualTo(4);
  }
}
