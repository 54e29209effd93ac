package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many people who push at once: how many operations a second, and how much memory. */
final class ClientScenarios {
  static final int BATCH = 50;
  private static final long PAUSE_MILLIS = 1_000;

  static final int[] CLIENTS = {1, 8, 64};

  private final Results results;
  private final Size size;
  private final Workload workload;

  ClientScenarios(Results results, Size size, Workload workload) {
    this.results = results;
    this.size = size;
    this.workload = workload;
  }

  static String name(int clients) {
    return clients == 1 ? "1 client" : clients + " clients";
  }

  void run(List<Contender> contenders) throws Exception {
    for (Contender contender : contenders) {
      for (int i = 0; i < CLIENTS[CLIENTS.length - 1]; i++) {
        contender.admit("c" + i);
      }
    }
    for (int clients : CLIENTS) {
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      for (int round = 0; round < size.clientRounds(); round++) {
        for (int i = 0; i < contenders.size(); i++) {
          Contender contender = contenders.get((i + round) % contenders.size());
          rates
              .computeIfAbsent(contender.name(), name -> new ArrayList<>())
              .add(rate(contender, clients, BATCH, size.clientSeconds()));
          if (clients == CLIENTS[CLIENTS.length - 1] && contender.process() != null) {
            memory(contender, "after 64 clients with batches of 50");
          }
        }
      }
      rates.forEach((name, all) -> results.add("clients", name(clients), name, "ops/s", all));
    }
  }

  private void memory(Contender contender, String what) throws Exception {
    double megabytes = contender.process().rss() / 1e6;
    if (results.median("memory", what, contender.name()).isEmpty()) {
      results.add("memory", what, contender.name(), "MB RSS", List.of(megabytes));
    }
  }

  /**
   * Operations a second; the first quarter of the time is not counted. A client that is asked to
   * come again later does so after a second.
   */
  double rate(Contender contender, int clients, int batch, double seconds) throws Exception {
    AtomicLong done = new AtomicLong();
    AtomicLong busy = new AtomicLong();
    long begin = System.nanoTime();
    long counted = begin + (long) (seconds * 0.25e9);
    long end = counted + (long) (seconds * 1e9);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      String user = "c" + i;
      all.add(
          threads.submit(
              () -> {
                while (System.nanoTime() < end) {
                  List<Op> operations = workload.batch(user, batch, Workload.Shape.OWN);
                  while (!pushed(contender, user, operations)) {
                    busy.incrementAndGet();
                    Thread.sleep(PAUSE_MILLIS);
                  }
                  long now = System.nanoTime();
                  if (now > counted && now <= end) {
                    done.addAndGet(batch);
                  }
                }
                return null;
              }));
    }
    try {
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
      threads.awaitTermination(1, TimeUnit.MINUTES);
    }
    if (busy.get() > 0) {
      results.note(
          "%s answered %d times with 503 to %d clients with batches of %d"
              .formatted(contender.name(), busy.get(), clients, batch));
    }
    return done.get() / seconds;
  }

  private static boolean pushed(Contender contender, String user, List<Op> batch)
      throws Exception {
    try {
      PushScenarios.push(contender, user, batch, Expect.NEW);
      return true;
    } catch (Http.BusyException e) {
      return false;
    }
  }
}
