package dev.steadfast.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What the tests that cause faults share, since each start takes seconds: a PostgreSQL of their
 * own, and a service before it with small limits. Either may be killed; the next one who needs it
 * starts it again.
 */
final class Bench implements AutoCloseable {
  static final int CONNECTIONS = 8;
  static final int LOCK_SECONDS = 4;
  static final int STATEMENT_SECONDS = 5;
  static final int ACQUISITION_SECONDS = 2;

  private final Path data;
  private final OwnPostgres postgres;
  private final CuttingProxy line;
  private ServiceProcess service;

  private Bench() throws IOException {
    data = Path.of("target", "postgres", "faults-" + ProcessHandle.current().pid());
    Files.createDirectories(data.getParent());
    postgres = new OwnPostgres(data.toAbsolutePath());
    line = new CuttingProxy(postgres.port());
  }

  OwnPostgres postgres() {
    return postgres;
  }

  /** The line between the service and PostgreSQL. */
  CuttingProxy line() {
    return line;
  }

  /** The database without a detour. */
  String databaseUrl() {
    return OwnPostgres.url(postgres.port());
  }

  /** The service; started if it does not run. */
  synchronized ServiceProcess service() throws Exception {
    if (service == null || !service.isAlive()) {
      if (service != null) {
        service.close();
      }
      service = start();
    }
    return service;
  }

  /** Starts another service in its place; the old one still runs, and is the caller's to end. */
  synchronized ServiceProcess replace() throws Exception {
    ServiceProcess next = start();
    ServiceProcess old = service;
    service = next;
    return old;
  }

  /** One more service on the same database. */
  ServiceProcess start(String... more) throws Exception {
    List<String> options =
        Stream.concat(
                Stream.of(
                    "-Xmx256m",
                    "-Dquarkus.datasource.jdbc.max-size=" + CONNECTIONS,
                    "-Dquarkus.datasource.jdbc.acquisition-timeout=" + ACQUISITION_SECONDS + "s",
                    "-Dsteadfast.database.lock-timeout=" + LOCK_SECONDS + "s",
                    "-Dsteadfast.database.statement-timeout=" + STATEMENT_SECONDS + "s"),
                Stream.of(more))
            .toList();
    return ServiceProcess.start(
        ServiceProcess.settings(OwnPostgres.serviceUrl(line.port())),
        options.toArray(String[]::new));
  }

  @Override
  public void close() throws Exception {
    if (service != null) {
      String log = service.log();
      if (log.contains("unforeseen")) {
        System.out.println(log.substring(log.indexOf("unforeseen")));
      }
      service.close();
    }
    line.close();
    postgres.close();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Gives the bench to the tests; it is closed after the last one. */
  static final class Resolver implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Bench.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.GLOBAL)
          .computeIfAbsent(
              Bench.class,
              key -> {
                try {
                  return new Bench();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              Bench.class);
    }
  }
}
