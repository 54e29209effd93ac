package dev.steadfast.contract;

import dev.steadfast.core.Contract;
import dev.steadfast.start.Settings;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Loads the row contract at the start; a bad one stops it. */
@Singleton
public class ContractBean {
  private static final Logger LOG = Logger.getLogger(ContractBean.class);

  /** And before the scheduler: a refused start leaves nothing running. */
  private static final int AFTER_THE_SETTINGS = Integer.MIN_VALUE + 2;

  /** The row contract of this process, for all of its life. */
  @Produces
  @Singleton
  @Startup(AFTER_THE_SETTINGS)
  Contract contract(Settings settings) {
    String location = settings.contract().location();
    RowContract contract = RowContract.load(location);
    LOG.infof(
        "row contract %s: version %d, fields %s", location, contract.version(), contract.fields());
    return contract;
  }
}
