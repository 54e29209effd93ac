package dev.steadfast.identity;

import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import io.quarkus.arc.profile.IfBuildProfile;
import io.smallrye.jwt.build.Jwt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.RestQuery;

/** Gives anybody a token for any person. It exists in dev and test builds only. */
@IfBuildProfile(anyOf = {"dev", "test"})
@Path("/dev/token")
public class DevTokenResource {
  private final String issuer;

  DevTokenResource(@ConfigProperty(name = "mp.jwt.verify.issuer") String issuer) {
    this.issuer = issuer;
  }

  /**
   * A token that is good for a day.
   *
   * @param sub the user id
   * @param groups the roles, separated by commas or given repeatedly
   */
  @GET
  @Produces(MediaType.TEXT_PLAIN)
  public String token(@RestQuery String sub, @RestQuery List<String> groups) {
    if (sub == null || sub.isBlank()) {
      String detail = "Name the person: /dev/token?sub=anya";
      throw new ProblemException(Problem.of(400, "INVALID_PARAMETER", detail));
    }
    Set<String> roles =
        groups.stream()
            .flatMap(group -> Arrays.stream(group.split(",")))
            .filter(group -> !group.isBlank())
            .collect(Collectors.toSet());
    return Jwt.issuer(issuer).subject(sub).groups(roles).expiresIn(Duration.ofDays(1)).sign();
  }
}
