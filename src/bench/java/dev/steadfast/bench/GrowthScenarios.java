package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same push with an empty verdict memory and with a full one. Each memory has a database and a
 * service of its own, so that they can take turns.
 */
final class GrowthScenarios {
  private static final int OF_ONE_PERSON = 10_000;

  private final Lab lab;
  private final Results results;
  private final Size size;
  private final Workload workload;

  GrowthScenarios(Lab lab, Results results, Size size, Workload workload) {
    this.lab = lab;
    this.results = results;
    this.size = size;
    this.workload = workload;
  }

  static String name(long verdicts) {
    return "%,d verdicts".formatted(verdicts);
  }

  void run() throws Exception {
    List<Contender> services = new ArrayList<>();
    try {
      services.add(service(0));
      for (long verdicts : size.verdicts()) {
        services.add(service(verdicts));
      }
      PushScenarios pushes = new PushScenarios(results, size, workload);
      pushes.warmUp(services);
      for (int operations : new int[] {1, 100, 1_000}) {
        measure(operations, services);
      }
    } finally {
      for (Contender service : services) {
        service.close();
      }
    }
  }

  private void measure(int operations, List<Contender> services) throws Exception {
    Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
    for (Contender service : services) {
      // Somebody who has pushed before, where anybody has.
      String user = person(1);
      turns.put(
          service.name(),
          () ->
              PushScenarios.push(
                  service,
                  user,
                  workload.batch(user, operations, Workload.Shape.OWN),
                  Expect.NEW));
    }
    String what = PushScenarios.name(operations, Expect.NEW, Workload.Shape.OWN);
    int burst = operations == 1_000 ? 2 : 10;
    new Rounds(results, size).run("growth", what, size.rounds(), burst, turns);
  }

  private static String person(long n) {
    return "grown%06d".formatted(n);
  }

  private Steadfast service(long verdicts) throws Exception {
    String database = "growth_" + verdicts;
    Postgres postgres = lab.postgres();
    postgres.create(database);
    Steadfast service = new Steadfast(name(verdicts), lab, null, database, postgres.port());
    if (verdicts > 0) {
      fill(database, verdicts);
      double bytes =
          Double.parseDouble(
              postgres.one(
                  database,
                  "SELECT pg_total_relation_size('sync_verdicts')::float8 / " + verdicts));
      results.add("disk", "a verdict of " + name(verdicts), "steadfast", "B", List.of(bytes));
    }
    return service;
  }

  /** Names of 36 characters: the prefix of a device and a counter, person by person. */
  private void fill(String database, long verdicts) throws Exception {
    String sql =
        """
        INSERT INTO sync_verdicts (user_id, op_id, status, fingerprint)
        SELECT 'grown' || lpad((g / %1$d)::text, 6, '0'),
               'f81d4fae-7dec-11d0-a765-00a0:' || lpad((g %% %1$d)::text, 7, '0'),
               'applied', hashint8extended(g, 0)
        FROM generate_series(0, %2$d) AS g
        """
            .formatted(OF_ONE_PERSON, verdicts - 1);
    lab.postgres().run(database, sql);
    // As autovacuum and the checkpointer would have left it by the time that anybody comes.
    lab.postgres().run(database, "VACUUM (ANALYZE) sync_verdicts");
    lab.postgres().run(database, "CHECKPOINT");
  }
}
