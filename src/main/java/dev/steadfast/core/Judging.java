package dev.steadfast.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges a batch, operation by operation, against what the database held when the head was locked.
 * Pure: it reads no clock and no database, and changes nothing but what it returns.
 */
public final class Judging {

  /**
   * What one push is judged by.
   *
   * @param contract the row contract
   * @param latest the greatest {@code at} that an operation may have, in milliseconds since 1970
   * @param maxRowBytes the most bytes a row may have, fields and marks as JSON
   */
  public record Rules(Contract contract, long latest, int maxRowBytes) {}

  /**
   * What the database held.
   *
   * @param seq the head's number
   * @param verdicts the verdicts remembered for names in the batch
   * @param rows the rows that the batch names and that exist
   */
  public record Before(long seq, Map<String, Remembered> verdicts, Map<String, Row> rows) {}

  /**
   * The outcome.
   *
   * @param verdicts one per judged operation, in batch order
   * @param news what must be remembered, by name, in batch order
   * @param changed the names of the rows that must be written
   * @param rows every row that the batch names and that exists after it
   * @param seq the head's number after the batch
   * @param ahead whether judging ended at an operation whose schema this server does not know
   */
  public record After(
      List<Verdict> verdicts,
      Map<String, Remembered> news,
      Set<String> changed,
      Map<String, Row> rows,
      long seq,
      boolean ahead) {}

  private final Rules rules;
  private final Map<String, Remembered> memory;
  private final Map<String, Row> rows;
  private final List<Verdict> verdicts = new ArrayList<>();
  private final Map<String, Remembered> news = new LinkedHashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private long seq;

  private Judging(Before before, Rules rules) {
    this.rules = rules;
    this.memory = before.verdicts();
    this.rows = new HashMap<>(before.rows());
    this.seq = before.seq();
  }

  /** Judges {@code batch} in its order. */
  public static After judge(List<Operation> batch, Before before, Rules rules) {
    Judging judging = new Judging(before, rules);
    boolean ahead = false;
    for (Operation operation : batch) {
      Remembered known = judging.known(operation.opId());
      if (known != null) {
        judging.verdicts.add(Verdict.repeated(operation, known));
      } else if (operation.schema() > rules.contract().version()) {
        ahead = true;
        break;
      } else {
        judging.judgeNew(operation);
      }
    }
    return new After(
        judging.verdicts, judging.news, judging.changed, judging.rows, judging.seq, ahead);
  }

  private Remembered known(String opId) {
    Remembered before = memory.get(opId);
    return before != null ? before : news.get(opId);
  }

  private void judgeNew(Operation operation) {
    if (operation.at() > rules.latest()) {
      reject(operation, rules.contract().clockAhead());
      return;
    }
    Row row = rows.getOrDefault(operation.rowId(), Row.ABSENT);
    Merge merge = Merge.of(row, operation, rules.contract());
    if (merge.moved() || !row.exists()) {
      Optional<Refusal> refusal = refusal(merge.row(), editsOnlyDeleted(operation));
      if (refusal.isPresent()) {
        reject(operation, refusal.get());
        return;
      }
    }
    if (merge.moved()) {
      seq++;
      rows.put(operation.rowId(), merge.row().numbered(seq));
      changed.add(operation.rowId());
    }
    news.put(operation.opId(), new Remembered(null, operation.fingerprint()));
    verdicts.add(Verdict.applied(operation, merge.lost()));
  }

  private boolean editsOnlyDeleted(Operation operation) {
    return operation.fields().keySet().stream()
        .filter(rules.contract()::names)
        .allMatch(Contract.DELETED::equals);
  }

  /** A row that is full must not become undeletable: a bare delete or undelete has always room. */
  private Optional<Refusal> refusal(Row row, boolean hasRoom) {
    Optional<Refusal> violation = rules.contract().violation(row.fields());
    if (violation.isPresent() || hasRoom || RowSize.fits(row, rules.maxRowBytes())) {
      return violation;
    }
    return Optional.of(rules.contract().rowTooLarge());
  }

  private void reject(Operation operation, Refusal refusal) {
    news.put(operation.opId(), new Remembered(refusal, operation.fingerprint()));
    verdicts.add(Verdict.rejected(operation, refusal));
  }
}
