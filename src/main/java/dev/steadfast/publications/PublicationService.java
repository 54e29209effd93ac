package dev.steadfast.publications;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.steadfast.journal.Answer;
import dev.steadfast.journal.OperationJournal;
import dev.steadfast.journal.Outcome;
import dev.steadfast.journal.Scope;
import dev.steadfast.outbox.Outbox;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Map;

/** Creates and updates publications, each once for each key, and tells the outbox. */
@ApplicationScoped
class PublicationService {
  private final OperationJournal journal;
  private final PublicationStore store;
  private final Outbox outbox;
  private final ObjectMapper json;

  PublicationService(
      OperationJournal journal, PublicationStore store, Outbox outbox, ObjectMapper json) {
    this.journal = journal;
    this.store = store;
    this.outbox = outbox;
    this.json = json;
  }

  /**
   * A publication as it is.
   *
   * @throws ProblemException 404 if there is none
   */
  @Transactional
  Publication get(int id) {
    return store.find(id).orElseThrow(PublicationService::unknown);
  }

  /** Creates a publication. */
  Outcome create(String principal, String key, PublicationBody body) {
    ObjectNode request = json.createObjectNode().put("title", body.title());
    return journal.once(
        new Scope(principal, "publication.create", key),
        request.toString(),
        () -> {
          Publication created = store.insert(body.title());
          String location = "/publications/" + created.id();
          return told(
              "dev.steadfast.publication.created", created, 201, Map.of("Location", location));
        });
  }

  /**
   * Updates a publication.
   *
   * @throws ProblemException 404 if there is none, 409 if it has another version
   */
  Outcome update(String principal, String key, int id, PublicationBody body) {
    ObjectNode request =
        json.createObjectNode()
            .put("id", id)
            .put("title", body.title())
            .put("version", body.version());
    return journal.once(
        new Scope(principal, "publication.update", key),
        request.toString(),
        () -> {
          Publication updated =
              store
                  .update(id, body.title(), body.version())
                  .orElseThrow(() -> refused(id, body.version()));
          return told("dev.steadfast.publication.updated", updated, 200, Map.of());
        });
  }

  private Answer told(String type, Publication now, int status, Map<String, String> headers) {
    ObjectNode data = json.valueToTree(now);
    outbox.add(type, "publications/" + now.id(), data);
    return new Answer(status, headers, data.toString());
  }

  private ProblemException refused(int id, int version) {
    return store
        .find(id)
        .map(
            now -> {
              String detail =
                  "The update builds on version %d, the publication has version %d. Read it, decide,"
                      + " and send the update with a new Idempotency-Key.";
              return new ProblemException(
                  Problem.of(409, "VERSION_CONFLICT", detail.formatted(version, now.version())));
            })
        .orElseGet(PublicationService::unknown);
  }

  private static ProblemException unknown() {
    return new ProblemException(
        Problem.of(404, "NOT_FOUND", "There is no publication with this id."));
  }
}
