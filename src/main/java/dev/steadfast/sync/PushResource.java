package dev.steadfast.sync;

import dev.steadfast.core.Contract;
import dev.steadfast.identity.Person;
import dev.steadfast.problem.ProblemException;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;

/** {@code POST /sync/push}: a device sends its queue, and every operation gets its answer. */
@Path("/sync/push")
@Authenticated
public class PushResource {
  private final Person person;
  private final Contract contract;
  private final PushService service;

  PushResource(Person person, Contract contract, PushService service) {
    this.person = person;
    this.contract = contract;
    this.service = service;
  }

  /**
   * Judges a batch.
   *
   * @param json {@code {"batch":[{"opId","rowId","fields","at","schema"?}…]}}
   * @return {@code {"verdicts":[…],"left"?}}
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public Response push(byte[] json) {
    String userId = person.id();
    try {
      PushAnswer answer = service.push(userId, PushBodyReader.read(json, contract));
      return Response.ok((StreamingOutput) answer::writeTo).build();
    } catch (MalformedBodyException e) {
      throw ProblemException.at(400, "MALFORMED_BODY", e.pointer(), e.getMessage());
    }
  }
}
