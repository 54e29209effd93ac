package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.start.Settings;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code GET /sync/limits}: the numbers that are enforced, so that no device need guess them. */
@Path("/sync/limits")
@Authenticated
public class LimitsResource {
  private final Contract contract;
  private final Settings settings;
  private final ClockStore clock;
  private final long maxBodyBytes;

  LimitsResource(
      Contract contract,
      Settings settings,
      ClockStore clock,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBodySize) {
    this.contract = contract;
    this.settings = settings;
    this.clock = clock;
    this.maxBodyBytes = maxBodySize.asLongValue();
  }

  /**
   * The limits.
   *
   * @param maxOperations how many operations of a batch are judged
   * @param maxBodyBytes the largest body of a push, after decompression
   * @param maxRowBytes the largest row, its fields and marks as JSON
   * @param maxClockAheadMs how far ahead of {@code now} an operation may be dated
   * @param schema the newest {@code schema} of an operation that is understood
   * @param now the clock by which operations are judged, in milliseconds since 1970
   */
  @RegisterForReflection
  public record Limits(
      int maxOperations,
      long maxBodyBytes,
      int maxRowBytes,
      long maxClockAheadMs,
      long schema,
      long now) {}

  /** The limits, and the clock that a device corrects its own by. */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Limits limits() {
    return new Limits(
        PushBody.MAX_OPERATIONS,
        maxBodyBytes,
        PushTransaction.MAX_ROW_BYTES,
        settings.clock().maxAhead().toMillis(),
        contract.version(),
        clock.now());
  }
}
