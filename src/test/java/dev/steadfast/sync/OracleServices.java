package dev.steadfast.sync;

import com.fasterxml.jackson.databind.JsonNode;
import dev.steadfast.contract.RowContract;
import dev.steadfast.core.Contract;
import dev.steadfast.core.Judging;
import dev.steadfast.database.Jdbc;
import dev.steadfast.start.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.util.EnumMap;
import java.util.Map;

/** The push as pods with different contracts have it, without HTTP around it. */
@ApplicationScoped
class OracleServices {
  private final PushStore store;
  private final Settings settings;
  private final HeadWatch watch;
  private final Jdbc database;

  OracleServices(PushStore store, Settings settings, HeadWatch watch, Jdbc database) {
    this.database = database;
    this.store = store;
    this.settings = settings;
    this.watch = watch;
  }

  /** A pod whose transactions are isolated as given, whatever the database's default. */
  PushService isolated(String isolation, Contract contract, MeterRegistry metrics) {
    PushTransaction transaction =
        new PushTransaction(store, contract, settings) {
          @Override
          Judging.After run(String userId, PushBody body) {
            return QuarkusTransaction.requiringNew()
                .call(
                    () -> {
                      String sql = "SET TRANSACTION ISOLATION LEVEL " + isolation;
                      database.run(sql, PreparedStatement::execute);
                      return super.run(userId, body);
                    });
          }
        };
    return new PushService(transaction, contract, watch, metrics);
  }

  /** A pod for each contract, which is loaded from a file as in production. */
  Map<OracleContract, PushService> pods(Path directory) throws IOException {
    Map<OracleContract, PushService> pods = new EnumMap<>(OracleContract.class);
    for (OracleContract contract : OracleContract.values()) {
      Path file = directory.resolve(contract + ".json");
      Files.writeString(file, contract.schema());
      Contract loaded = RowContract.load(file.toString());
      PushTransaction transaction =
          new PushTransaction(store, loaded, settings) {
            @Override
            Judging.After run(String userId, PushBody body) {
              return QuarkusTransaction.requiringNew().call(() -> super.run(userId, body));
            }
          };
      pods.put(contract, new PushService(transaction, loaded, watch, new SimpleMeterRegistry()));
    }
    return pods;
  }

  /** The answer of a pod to a body, as a device reads it. */
  static JsonNode answer(PushService pod, String user, byte[] body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    pod.push(user, PushBodyReader.read(body, pod.contract())).json().forEach(out::writeBytes);
    return LoopOracle.JSON.readTree(out.toByteArray());
  }
}
