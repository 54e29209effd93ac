package dev.steadfast.sync;

import dev.steadfast.limits.HeldMemory;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.resteasy.reactive.RestMulti;

/**
 * Sends answers piece by piece, each when the client has taken the one before. An answer counts as
 * held until its last piece is with the client: those that nobody reads fill no memory, and no
 * thread waits for them.
 */
@ApplicationScoped
class HeldAnswers {
  private final HeldMemory memory;

  HeldAnswers(HeldMemory memory) {
    this.memory = memory;
  }

  /**
   * The answer, or 503 if the pod holds too much already, or 429 if the person does.
   *
   * @param userId whose answer it is
   * @param answer pieces that end between two tokens of JSON: each is followed by a line feed
   */
  RestMulti<byte[]> send(String userId, Uni<List<byte[]>> answer) {
    HeldMemory.Hold hold = memory.hold(userId);
    Multi<byte[]> pieces =
        answer
            .onItem()
            .transformToMulti(all -> Multi.createFrom().iterable(held(hold, all)))
            .onTermination()
            .invoke(hold::release);
    return RestMulti.fromMultiData(pieces).encodeAsJsonArray(false).withDemand(1).build();
  }

  private static List<byte[]> held(HeldMemory.Hold hold, List<byte[]> pieces) {
    hold.add(pieces.stream().mapToLong(piece -> piece.length).sum());
    return pieces;
  }
}
