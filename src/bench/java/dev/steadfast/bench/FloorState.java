package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** What the floor knows of a person beforehand, so that it need not judge. */
final class FloorState {
  private final Map<String, Op> founders = new HashMap<>();
  private long seq;
  private long cursor;

  FloorState(String user) {}

  /** The arguments of the statements of one push. */
  record Arguments(
      String[] opIds,
      String[] statuses,
      String[] reasons,
      String[] codes,
      Long[] fingerprints,
      String[] rowIds,
      String[] fields,
      String[] marks,
      Long[] seqs,
      long seq) {}

  long cursor() {
    return cursor;
  }

  void readTo(long seq) {
    cursor = seq;
  }

  Arguments arguments(List<Op> batch, Expect expect) {
    boolean refused = expect == Expect.REFUSED;
    int size = batch.size();
    Map<String, Op> last = new LinkedHashMap<>();
    Map<String, Long> numbers = new HashMap<>();
    for (Op op : batch) {
      last.put(op.rowId(), op);
      if (expect == Expect.NEW) {
        numbers.put(op.rowId(), ++seq);
        if (!op.isEdit()) {
          founders.put(op.rowId(), op);
        }
      }
    }
    List<Op> rows = new ArrayList<>(last.values());
    rows.sort(Comparator.comparing(Op::rowId));
    return new Arguments(
        batch.stream().map(Op::opId).sorted().toArray(String[]::new),
        fill(size, refused ? "rejected" : "applied"),
        fill(size, refused ? "повторов больше сотни" : null),
        fill(size, refused ? "CONTRACT" : null),
        ThreadLocalRandom.current().longs(size).boxed().toArray(Long[]::new),
        rows.stream().map(Op::rowId).toArray(String[]::new),
        rows.stream().map(Op::row).toArray(String[]::new),
        rows.stream().map(this::marks).toArray(String[]::new),
        rows.stream().map(op -> numbers.get(op.rowId())).toArray(Long[]::new),
        seq);
  }

  private static String[] fill(int size, String value) {
    String[] all = new String[size];
    Arrays.fill(all, value);
    return all;
  }

  private String marks(Op op) {
    Op founder = founders.getOrDefault(op.rowId(), op);
    return "{\"exercise\":%s,\"weightKg\":%s,\"reps\":%s}"
        .formatted(mark(founder), mark(op), mark(founder));
  }

  private static String mark(Op op) {
    return "{\"at\":" + op.at() + ",\"opId\":\"" + op.opId() + "\"}";
  }
}
