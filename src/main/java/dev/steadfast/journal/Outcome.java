package dev.steadfast.journal;

/**
 * What came of a keyed operation.
 *
 * @param answer the stored answer
 * @param replayed whether it was stored before this call, which therefore changed nothing
 */
public record Outcome(Answer answer, boolean replayed) {}
