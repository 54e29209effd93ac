package dev.steadfast.journal;

/**
 * Where a key is one key: the same text of another person, or for another operation, is another
 * key.
 *
 * @param principal the user id
 * @param operation which command of the service
 * @param key what the client calls this one execution
 */
public record Scope(String principal, String operation, String key) {}
