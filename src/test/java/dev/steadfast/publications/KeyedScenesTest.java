package dev.steadfast.publications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.steadfast.Database;
import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One effect and one stored answer, whatever happens. Every scene ends with the answer, the
 * version, the rows of the journal and the intents, under each isolation level.
 */
@QuarkusTest
class KeyedScenesTest {
  private static final int CLIENTS = 20;

  @Inject AgroalDataSource pool;

  private Editor editor;

  private void under(String level, String name) throws Exception {
    Isolation.set(pool, level);
    editor = Editor.named(name + " " + level);
    try (Database database = Database.session()) {
      assertThat(database.one("SHOW transaction_isolation")).isEqualTo(level);
    }
  }

  @AfterEach
  void reset() throws Exception {
    Isolation.set(pool, Isolation.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void successRepeatConflictAndAnOldVersion(String level) throws Exception {
    under(level, "seed");
    try (Database database = Database.session()) {
      int id = Editor.publication(database);
      String stored = "{\"id\":%d,\"title\":\"Новый урок\",\"version\":2}".formatted(id);
      Response first = editor.put(id, "op-1", Editor.body("Новый урок", 1));
      assertThat(Editor.line(first)).isEqualTo("200 " + stored);
      assertThat(editor.state(database, id)).isEqualTo("version 2, journal 1, intents 1");

      String sameMeaning =
          "{\"version\":1 , \"title\":\"\u00a0Новый урок \\n\", \"id\":" + id + "}";
      for (Response repeat :
          List.of(
              editor.put(id, "op-1", Editor.body("Новый урок", 1)),
              editor.put(id, "\"op-1\"", sameMeaning))) {
        assertThat(Editor.line(repeat)).isEqualTo("replayed 200 " + stored);
        assertThat(repeat.asByteArray()).isEqualTo(first.asByteArray());
        assertThat(repeat.contentType()).isEqualTo(first.contentType());
      }
      assertThat(editor.update(id, "op-1", "Другой", 1)).isEqualTo("422 KEY_CONFLICT");
      assertThat(editor.update(id, "op-1", "Новый урок", 2)).isEqualTo("422 KEY_CONFLICT");
      assertThat(editor.update(id, "op-2", "Проба", 1)).isEqualTo("409 VERSION_CONFLICT");
      assertThat(editor.state(database, id)).isEqualTo("version 2, journal 1, intents 1");

      Editor other = Editor.named("other " + level);
      assertThat(other.update(id, "op-1", "Чужой", 2)).startsWith("200 ");
      assertThat(other.state(database, id)).isEqualTo("version 3, journal 1, intents 2");
      assertThat(editor.update(id, "op-1", "Новый урок", 1)).isEqualTo("replayed 200 " + stored);
      assertThat(editor.create("op-1", "Та же строка, другая команда")).startsWith("201 ");
      assertThat(editor.state(database, id)).isEqualTo("version 3, journal 2, intents 2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void beforeCommitEverythingIsUndoneAndTheKeyIsFree(String level) throws Exception {
    under(level, "rollback");
    try (Database holder = Database.session();
        Database reader = Database.session()) {
      int id = Editor.publication(reader);
      holder.begin().run("LOCK TABLE outbox IN EXCLUSIVE MODE");
      CompletableFuture<String> update =
          CompletableFuture.supplyAsync(() -> editor.update(id, "op-2", "Проба", 1));
      kill(reader, "INSERT INTO outbox");
      assertThat(update.get()).isEqualTo("503 UNAVAILABLE");
      holder.commit();
      assertThat(editor.state(reader, id)).isEqualTo("version 1, journal 0, intents 0");
      assertThat(editor.update(id, "op-2", "Проба", 1)).startsWith("200 ");
      assertThat(editor.state(reader, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  private static void kill(Database reader, String statement) throws Exception {
    reader.awaitWaiting(statement);
    reader.all(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE wait_event_type = 'Lock' AND query LIKE ?",
        "%" + statement + "%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void aLostAnswerIsThereOnTheRepeat(String level) throws Exception {
    under(level, "lost");
    try (Database reader = Database.session()) {
      int id = Editor.publication(reader);
      byte[] body = Editor.body("Потеряно", 1).getBytes(StandardCharsets.UTF_8);
      try (Socket socket = new Socket("localhost", RestAssured.port)) {
        OutputStream out = socket.getOutputStream();
        String head =
            "PUT /publications/%d HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                + "Content-Type: application/json\r\nIdempotency-Key: op-3\r\n"
                + "Content-Length: %d\r\n\r\n";
        out.write(
            head.formatted(id, editor.token(), body.length).getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        while (!editor.state(reader, id).equals("version 2, journal 1, intents 1")) {
          Thread.sleep(5);
        }
        socket.setSoLinger(true, 0);
      }
      assertThat(editor.update(id, "op-3", "Потеряно", 1))
          .isEqualTo("replayed 200 {\"id\":%d,\"title\":\"Потеряно\",\"version\":2}".formatted(id));
      assertThat(editor.state(reader, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void theSecondSessionWaitsAndGetsTheStoredAnswer(String level) throws Exception {
    under(level, "two-commit");
    try (Database holder = Database.session();
        Database reader = Database.session()) {
      int id = Editor.publication(reader);
      holder.begin().run("SELECT FROM publications WHERE id = ? FOR UPDATE", id);
      CompletableFuture<String> first =
          CompletableFuture.supplyAsync(() -> editor.update(id, "op-4", "Один", 1));
      reader.awaitWaiting("UPDATE publications");
      CompletableFuture<String> second =
          CompletableFuture.supplyAsync(() -> editor.update(id, "op-4", "Один", 1));
      reader.awaitWaiting("pg_advisory_xact_lock");
      holder.commit();
      assertThat(second.get()).isEqualTo("replayed " + first.get()).startsWith("replayed 200 ");
      assertThat(editor.state(reader, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void theFirstSessionRollsBackAndTheSecondDoesTheWork(String level) throws Exception {
    under(level, "two-rollback");
    try (Database holder = Database.session();
        Database reader = Database.session()) {
      int id = Editor.publication(reader);
      holder.begin().run("SELECT FROM publications WHERE id = ? FOR UPDATE", id);
      CompletableFuture<String> first =
          CompletableFuture.supplyAsync(() -> editor.update(id, "op-5", "Два", 1));
      reader.awaitWaiting("UPDATE publications");
      CompletableFuture<String> second =
          CompletableFuture.supplyAsync(() -> editor.update(id, "op-5", "Два", 1));
      reader.awaitWaiting("pg_advisory_xact_lock");
      kill(reader, "UPDATE publications");
      assertThat(first.get()).isEqualTo("503 UNAVAILABLE");
      holder.commit();
      assertThat(second.get()).startsWith("200 ");
      assertThat(editor.state(reader, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void aRefusalIsNotSaidFromASnapshotThatWaited(String level) throws Exception {
    under(level, "snapshot");
    try (Database holder = Database.session();
        Database reader = Database.session()) {
      int id = Editor.publication(reader) + 1_000_000;
      holder
          .begin()
          .all(
              "SELECT pg_advisory_xact_lock("
                  + "hashtextextended(jsonb_build_array(?::text, 'publication.update', 'k')::text, 0))",
              editor.name());
      CompletableFuture<String> update =
          CompletableFuture.supplyAsync(() -> editor.update(id, "k", "Дождался", 1));
      reader.awaitWaiting("pg_advisory_xact_lock");
      reader.run("INSERT INTO publications VALUES (?, 'Позже', 1)", id);
      holder.commit();
      assertThat(update.get()).startsWith("200 ");
      assertThat(editor.state(reader, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void twentyClientsWithOneKeyUpdateOnce(String level) throws Exception {
    under(level, "twenty-put");
    try (Database database = Database.session()) {
      int id = Editor.publication(database);
      List<String> answers = atOnce(i -> editor.update(id, "one", "Вместе", 1));
      String stored = "200 {\"id\":%d,\"title\":\"Вместе\",\"version\":2}".formatted(id);
      assertThat(answers).containsOnly(stored, "replayed " + stored);
      assertThat(Collections.frequency(answers, stored)).isEqualTo(1);
      assertThat(editor.state(database, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void twentyClientsWithOneKeyCreateOnce(String level) throws Exception {
    under(level, "twenty-post");
    try (Database database = Database.session()) {
      List<String> answers = atOnce(i -> editor.create("one", "Общее " + level));
      int id =
          Integer.parseInt(
              database.one("SELECT id FROM publications WHERE title = ?", "Общее " + level));
      String stored = "201 {\"id\":%d,\"title\":\"Общее %s\",\"version\":1}".formatted(id, level);
      assertThat(answers).containsOnly(stored, "replayed " + stored);
      assertThat(Collections.frequency(answers, stored)).isEqualTo(1);
      assertThat(editor.state(database, id)).isEqualTo("version 1, journal 1, intents 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void ofTwentyKeysOnOneVersionOneWins(String level) throws Exception {
    under(level, "twenty-keys");
    try (Database database = Database.session()) {
      int id = Editor.publication(database);
      List<String> answers = atOnce(i -> editor.update(id, "key-" + i, "Кто первый", 1));
      String won = "200 {\"id\":%d,\"title\":\"Кто первый\",\"version\":2}".formatted(id);
      assertThat(answers).containsOnly(won, "409 VERSION_CONFLICT");
      assertThat(Collections.frequency(answers, won)).isEqualTo(1);
      assertThat(editor.state(database, id)).isEqualTo("version 2, journal 1, intents 1");
    }
  }

  private static List<String> atOnce(IntFunction<String> call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      CyclicBarrier start = new CyclicBarrier(CLIENTS);
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        calls.add(
            threads.submit(
                () -> {
                  start.await();
                  return call.apply(client);
                }));
      }
      List<String> answers = new ArrayList<>();
      for (Future<String> answer : calls) {
        answers.add(answer.get());
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }
}
