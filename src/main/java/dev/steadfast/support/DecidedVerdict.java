package dev.steadfast.support;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A verdict as it is remembered.
 *
 * @param opId the operation
 * @param status {@code applied} or {@code rejected}
 * @param reason the words for the person; absent unless rejected
 * @param code the kind of refusal; absent unless rejected
 * @param decidedAt when it was judged, by the database's clock
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DecidedVerdict(
    String opId, String status, String reason, String code, Instant decidedAt) {}
