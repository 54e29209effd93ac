package dev.steadfast.outbox;

import java.util.UUID;

/**
 * An event that a relay has taken.
 *
 * @param event what is sent
 * @param attempts which try this is, 1 for the first; also the proof of having taken it
 */
record Intent(UUID id, String event, int attempts) {}
