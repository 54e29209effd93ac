package dev.steadfast.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From the start of a process to its first answer; the database is migrated. */
final class StartScenario {
  private StartScenario() {}

  static void run(Results results, Size size, List<Contender> contenders) throws Exception {
    Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      ServerProcess process = contender.process();
      if (process != null) {
        turns.put(
            contender.name(),
            () -> {
              process.close();
              return process.start();
            });
      }
    }
    new Rounds(results, size).run("start", "process to first answer", size.starts(), 1, turns);
  }
}
