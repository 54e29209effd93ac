package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One service with a heap of 128 MiB, and 64 clients who send batches of 1,000 operations. */
final class MemoryScenario {
  private static final int CLIENTS = 64;
  private static final int BATCH = 1_000;
  private static final Pattern USED =
      Pattern.compile("^jvm_memory_used_bytes\\{area=\"heap\".*} (\\S+)$", Pattern.MULTILINE);

  private final Results results;
  private final Size size;
  private final Workload workload;

  MemoryScenario(Results results, Size size, Workload workload) {
    this.results = results;
    this.size = size;
    this.workload = workload;
  }

  /** Of a service that has just been started. */
  void idle(Steadfast service) throws Exception {
    String name = service.name();
    results.add("memory", "idle", name, "MB RSS", List.of(service.process().rss() / 1e6));
    live(service, "idle, live heap");
  }

  void load(Steadfast service) throws Exception {
    String name = service.name();
    List<Double> heap = new ArrayList<>();
    List<Double> rss = new ArrayList<>();
    Thread sampler = new Thread(() -> sample(service, heap, rss), "sampler");
    sampler.start();
    try {
      ClientScenarios clients = new ClientScenarios(results, size, workload);
      double rate = clients.rate(service, CLIENTS, BATCH, 3 * size.clientSeconds());
      results.add("clients", "64 clients, batches of 1,000", name, "ops/s", List.of(rate));
    } finally {
      sampler.interrupt();
      sampler.join();
    }
    results.add("memory", "64 clients × 1,000, heap in use", name, "MB", heap);
    results.add("memory", "64 clients × 1,000", name, "MB RSS", rss);
    live(service, "afterwards, live heap");
  }

  /** What is left after a collection; asked of the JVM, so not of a native binary. */
  private void live(Steadfast service, String what) throws Exception {
    String pid = Long.toString(service.process().pid());
    if (!Shell.tryRun("", "jcmd", pid, "GC.run").isEmpty()) {
      double heap = heap(service);
      results.add("memory", what, service.name(), "MB", List.of(heap));
    }
  }

  private static void sample(Steadfast service, List<Double> heap, List<Double> rss) {
    try {
      while (true) {
        Thread.sleep(250);
        heap.add(heap(service));
        rss.add(service.process().rss() / 1e6);
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static double heap(Steadfast service) throws Exception {
    String metrics =
        Http.text(Http.get(service.base() + "/q/metrics", java.util.Map.of("Accept", "text/plain")));
    double bytes = 0;
    Matcher used = USED.matcher(metrics);
    while (used.find()) {
      bytes += Double.parseDouble(used.group(1));
    }
    return bytes / 1e6;
  }
}
