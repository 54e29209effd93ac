package dev.steadfast.publications;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A publication.
 *
 * @param id 1…2147483647
 * @param title 1…120 code points, without white space at its ends
 * @param version grows by one with every update
 */
@RegisterForReflection
public record Publication(int id, String title, int version) {}
