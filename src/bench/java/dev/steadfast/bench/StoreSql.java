package dev.steadfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The statements of a store of the service, as they stand in its source: no copy to go stale. */
final class StoreSql {
  private static final Path SYNC = Path.of("src", "main", "java", "dev", "steadfast", "sync");
  private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\"\\R(.*?)\"\"\"", Pattern.DOTALL);

  private StoreSql() {}

  /** The text blocks of a store, in their order. */
  static List<String> of(Path project, String store, int expected) throws IOException {
    String source = Files.readString(project.resolve(SYNC).resolve(store + ".java"));
    List<String> statements =
        TEXT_BLOCK
            .matcher(source)
            .results()
            .map(MatchResult::group)
            .map(block -> block.substring(3, block.length() - 3).stripIndent().strip())
            .toList();
    if (statements.size() != expected) {
      throw new IllegalStateException(
          store + " has " + statements.size() + " statements, the floor knows " + expected);
    }
    return statements;
  }
}
