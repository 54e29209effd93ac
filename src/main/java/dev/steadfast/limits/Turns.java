package dev.steadfast.limits;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final UniEmitter<? super Turn> emitter;
    private final long timer;
    private boolean decided;

    private Waiter(Turn turn, UniEmitter<? super Turn> emitter) {
      this.turn = turn;
      this.emitter = emitter;
      this.timer = vertx.setTimer(waitMillis, late -> leave(refusal));
      emitter.onTermination(() -> leave(null));
    }

    private void leave(Supplier<? extends RuntimeException> why) {
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
      vertx.cancelTimer(timer);
      if (why != null) {
        emitter.fail(why.get());
      }
      next.forEach(Waiter::go);
    }

    private void go() {
      vertx.cancelTimer(timer);
      emitter.complete(turn);
    }
  }

  /**
   * Takes places as soon as there are enough of them and nobody waits before.
   *
   * @param weight how many places; more than the line has count as all of them
   */
  Uni<Turn> take(K key, long weight) {
    return Uni.createFrom().emitter(emitter -> take(key, Math.min(weight, places), emitter));
  }

  private void take(K key, long weight, UniEmitter<? super Turn> emitter) {
    Turn turn = new Turn(key, weight);
    synchronized (lines) {
      Line line = lines.computeIfAbsent(key, first -> new Line());
      if (!line.waiting.isEmpty() || line.taken + weight > places) {
        if (line.waiting.size() < mayWait) {
          line.waiting.add(new Waiter(turn, emitter));
          return;
        }
        turn = null;
      } else {
        line.taken += weight;
      }
    }
    if (turn == null) {
      emitter.fail(refusal.get());
    } else {
      emitter.complete(turn);
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
