package dev.steadfast.start;

import dev.steadfast.database.DatabaseException;
import dev.steadfast.database.Jdbc;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.ResultSet;
import org.jboss.logging.Logger;

/** Says at the start if the database isolates transactions more strictly than is of use here. */
@ApplicationScoped
public class IsolationAdvice {
  private static final Logger LOG = Logger.getLogger(IsolationAdvice.class);
  private static final String RECOMMENDED = "read committed";

  private final Jdbc database;

  IsolationAdvice(Jdbc database) {
    this.database = database;
  }

  void advise(@Observes StartupEvent start) {
    try {
      String isolation = QuarkusTransaction.requiringNew().call(this::isolation);
      if (!isolation.equals(RECOMMENDED)) {
        LOG.warnf(
            "the database's default_transaction_isolation is %s: promises hold, but pushes of one"
                + " person at once will be tried again and again; %s is recommended",
            isolation, RECOMMENDED);
      }
    } catch (DatabaseException e) {
      LOG.warn("the database is away at the start: " + e.getMessage());
    }
  }

  private String isolation() {
    return database.run(
        "SHOW transaction_isolation",
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getString(1);
          }
        });
  }
}
