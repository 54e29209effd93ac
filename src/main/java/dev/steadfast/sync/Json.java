package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;

/**
 * How the sync reads and writes JSON: token by token, never bound to objects, so that nothing is
 * coerced and nothing is built that is not kept.
 */
final class Json {
  /**
   * The deepest nesting that is skipped. The parser keeps some 56 bytes for each open bracket: a
   * body that is nothing but brackets would otherwise cost fifty times its size.
   */
  static final int MAX_NESTING = 100_000;

  /**
   * Names are not interned and not cached: what a hostile body names must not stay in memory. The
   * lengths of numbers, names and texts are bounded by the body alone; values are judged one by
   * one.
   */
  static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Json() {}
}
