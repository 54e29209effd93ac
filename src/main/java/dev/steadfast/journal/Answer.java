package dev.steadfast.journal;

import java.util.Map;

/**
 * The answer to a keyed operation, as it is stored, sent the first time, and replayed.
 *
 * @param status the HTTP status, 200…299: refusals are not stored
 * @param headers the HTTP headers by name
 * @param body the body, byte for byte
 */
public record Answer(int status, Map<String, String> headers, String body) {}
