package dev.steadfast.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever the service did in its tests, it had the right to. The server logs each refusal with its
 * SQLState and who was refused, also those that happen in the background and reach no answer.
 *
 * <p>This is no Quarkus test, and so it runs after all of them.
 */
class NothingWasRefusedTest {
  private static final String REFUSED = ",42501,steadfast_app,";

  @Test
  void noStatementOfTheServiceLackedAPrivilege() throws Exception {
    Path log = Path.of("target", "postgres", ProcessHandle.current().pid() + ".log");
    List<String> refusals =
        Files.exists(log)
            ? Files.readAllLines(log).stream().filter(line -> line.contains(REFUSED)).toList()
            : List.of();
    boolean selected = System.getProperty("test") != null;
    assumeTrue(
        !selected || !refusals.isEmpty(), "means something only after PrivilegesTest and others");
    assertThat(refusals)
        .as("PrivilegesTest was there before, and what it is refused is seen here")
        .anyMatch(line -> line.contains(PrivilegesTest.ON_PURPOSE));
    assertThat(refusals).allMatch(line -> line.contains(PrivilegesTest.ON_PURPOSE));
  }
}
