package dev.steadfast.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Events that are to be told to the outside. They are stored in the transaction of what they tell,
 * so there is never one without the other; a relay delivers them later, at least once.
 */
@ApplicationScoped
public class Outbox {
  private static final String SOURCE = "urn:steadfast";

  private final OutboxStore store;
  private final ObjectMapper json;

  Outbox(OutboxStore store, ObjectMapper json) {
    this.store = store;
    this.json = json;
  }

  /**
   * Stores an event (CloudEvents 1.0, JSON) in the running transaction. The transaction must hold a
   * lock on the subject, so that the events of one subject are stored in the order in which they
   * happened.
   *
   * @param type the kind of event, with a reversed domain name in front
   * @param subject what it is about; the events of one subject are delivered oldest first
   * @param data what happened
   */
  @Transactional(TxType.MANDATORY)
  public void add(String type, String subject, JsonNode data) {
    UUID id = UUID.randomUUID();
    ObjectNode event =
        json.createObjectNode()
            .put("specversion", "1.0")
            .put("id", id.toString())
            .put("source", SOURCE)
            .put("type", type)
            .put("subject", subject)
            .put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
            .put("datacontenttype", "application/json")
            .set("data", data);
    store.add(id, subject, event.toString());
  }
}
