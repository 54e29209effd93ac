package dev.steadfast.core;

/**
 * What the verdict memory holds of an operation, forever.
 *
 * @param refusal why it was rejected, or null if it was applied
 * @param fingerprint what the operation said when it was judged
 */
public record Remembered(Refusal refusal, long fingerprint) {}
