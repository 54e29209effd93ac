package dev.steadfast.limits;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Who comes next. Each key has a line of its own with so many places; a turn takes some of them and
 * gives them back. Those who find none wait in the order in which they came, and for a limited
 * time. Nobody who waits holds a thread, and a line that is empty holds no memory.
 */
final class Turns<K> {
  private final Vertx vertx;
  private final long places;
  private final int mayWait;
  private final long waitMillis;
  private final Supplier<? extends RuntimeException> refusal;
  private final Map<K, Line> lines = new HashMap<>();

  /**
   * @param places how many places each line has, 1 or more
   * @param mayWait how many may wait in a line; one more is refused at once
   * @param wait how long one may wait before it is refused
   * @param refusal what the refused fail with
   */
  Turns(
      Vertx vertx,
      long places,
      int mayWait,
      Duration wait,
      Supplier<? extends RuntimeException> refusal) {
    this.vertx = vertx;
    this.places = places;
    this.mayWait = mayWait;
    this.waitMillis = wait.toMillis();
    this.refusal = refusal;
  }

  /** Some places of a line. They are given back once, however often that is said. */
  final class Turn {
    private final K key;
    private final long weight;
    private final AtomicBoolean over = new AtomicBoolean();

    private Turn(K key, long weight) {
      this.key = key;
      this.weight = weight;
    }

    /** Gives the places to those who wait. */
    void over() {
      if (over.compareAndSet(false, true)) {
        giveBack(key, weight);
      }
    }
  }

  private final class Line {
    private long taken;
    private final Deque<Waiter> waiting = new ArrayDeque<>();
  }

  /** One who waits. It is decided once, under the lock: let in, or gone. */
  private final class Waiter {
    private final Turn turn;
    private final Consumer<Turn> given;
    private final Consumer<RuntimeException> refused;
    private final long timer;
    private boolean decided;

    private Waiter(Turn turn, Consumer<Turn> given, Consumer<RuntimeException> refused) {
      this.turn = turn;
      this.given = given;
      this.refused = refused;
      this.timer = vertx.setTimer(waitMillis, late -> leave());
    }

    private void leave() {
      Deque<Waiter> next;
      synchronized (lines) {
        if (decided) {
          return;
        }
        decided = true;
        Line line = lines.get(turn.key);
        line.waiting.remove(this);
        // Those behind may be lighter than this one was.
        next = admit(turn.key, line);
      }
      refused.accept(refusal.get());
      next.forEach(Waiter::go);
    }

    private void go() {
      vertx.cancelTimer(timer);
      given.accept(turn);
    }
  }

  /**
   * Takes places as soon as there are enough of them and nobody waits before. Callbacks and no
   * pipeline: a turn that a cancelled pipeline drops on its way would never be given back.
   *
   * @param weight how many places; more than the line has count as all of them
   * @param given gets the turn, and must see to it that it is over at some time
   * @param refused gets the reason if the turn does not come
   */
  void take(K key, long weight, Consumer<Turn> given, Consumer<RuntimeException> refused) {
    Turn turn = new Turn(key, Math.min(weight, places));
    boolean mine;
    synchronized (lines) {
      Line line = lines.computeIfAbsent(key, first -> new Line());
      mine = line.waiting.isEmpty() && line.taken + turn.weight <= places;
      if (mine) {
        line.taken += turn.weight;
      } else if (line.waiting.size() < mayWait) {
        line.waiting.add(new Waiter(turn, given, refused));
        return;
      }
    }
    if (mine) {
      given.accept(turn);
    } else {
      refused.accept(refusal.get());
    }
  }

  private void giveBack(K key, long weight) {
    Deque<Waiter> next;
    synchronized (lines) {
      Line line = lines.get(key);
      line.taken -= weight;
      next = admit(key, line);
    }
    next.forEach(Waiter::go);
  }

  private Deque<Waiter> admit(K key, Line line) {
    Deque<Waiter> admitted = new ArrayDeque<>();
    while (!line.waiting.isEmpty() && line.taken + line.waiting.peek().turn.weight <= places) {
      Waiter first = line.waiting.poll();
      first.decided = true;
      line.taken += first.turn.weight;
      admitted.add(first);
    }
    if (line.taken == 0 && line.waiting.isEmpty()) {
      lines.remove(key);
    }
    return admitted;
  }

  /** How many places of all lines are taken. */
  long taken() {
    synchronized (lines) {
      return lines.values().stream().mapToLong(line -> line.taken).sum();
    }
  }

  /** How many wait in all lines. */
  int waiting() {
    synchronized (lines) {
      return lines.values().stream().mapToInt(line -> line.waiting.size()).sum();
    }
  }

  /** How many lines there are. */
  int size() {
    synchronized (lines) {
      return lines.size();
    }
  }
}
