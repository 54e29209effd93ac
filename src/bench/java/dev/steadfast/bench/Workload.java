package dev.steadfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes operations. Names have 36 characters: what a device draws at random, a colon, and a
 * counter. Every operation is newer than all before it.
 */
final class Workload {
  static final int REPS = 5;

  private static final int TOO_MANY_REPS = 150;
  private static final int ROWS_OF_A_DIARY = 50;

  /** Whose rows a batch edits. */
  enum Shape {
    OWN("one new row each"),
    FIFTY("edits of 50 rows"),
    ONE("edits of one row");

    final String words;

    Shape(String words) {
      this.words = words;
    }
  }

  private final AtomicLong counter = new AtomicLong();
  private final long start = System.currentTimeMillis();

  /** New operations; the rows that they edit are those of {@link #diary}. */
  List<Op> batch(String user, int size, Shape shape) {
    List<Op> batch = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      batch.add(shape == Shape.OWN ? whole(user, REPS) : edit(user, shape, i));
    }
    return batch;
  }

  /** Operations that the contract refuses, one row each. */
  List<Op> refused(String user, int size) {
    List<Op> batch = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      batch.add(whole(user, TOO_MANY_REPS));
    }
    return batch;
  }

  /** The 50 rows that a person has before they are edited. */
  List<Op> diary(String user) {
    List<Op> batch = new ArrayList<>();
    for (int i = 0; i < ROWS_OF_A_DIARY; i++) {
      long n = counter.incrementAndGet();
      batch.add(new Op(name(user, n), row(user, i), start + n, 80, REPS));
    }
    return batch;
  }

  private Op whole(String user, int reps) {
    long n = counter.incrementAndGet();
    return new Op(name(user, n), row(user, 1_000 + n), start + n, (int) (n % 200), reps);
  }

  private Op edit(String user, Shape shape, int i) {
    long n = counter.incrementAndGet();
    String row = row(user, shape == Shape.ONE ? 0 : i % ROWS_OF_A_DIARY);
    return new Op(name(user, n), row, start + n, (int) (n % 200), null);
  }

  private static String name(String user, long n) {
    return "%08x-7dec-4d04-a765-0%06d:%07d".formatted(user.hashCode(), n / 10_000_000, n);
  }

  private static String row(String user, long n) {
    return "%08x-5e7a-4c21-9b3f-%012d".formatted(user.hashCode(), n);
  }
}
