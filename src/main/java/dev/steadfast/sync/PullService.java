package dev.steadfast.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.steadfast.core.Contract;
import dev.steadfast.core.Entry;
import dev.steadfast.problem.Problem;
import dev.steadfast.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Reads what others changed since a device looked last. */
@ApplicationScoped
class PullService {
  /** The most rows of a page. */
  static final int MAX_ROWS = 1_000;

  /** A page ends at so many bytes, though it has at least one row. */
  static final int MAX_PAGE_BYTES = 1024 * 1024;

  private final PullStore store;
  private final Contract contract;

  PullService(PullStore store, Contract contract) {
    this.store = store;
    this.contract = contract;
  }

  /**
   * Reads a page.
   *
   * @param cursor the number up to which the device has read
   * @param epoch the epoch that the cursor belongs to; null if the device knows none
   * @return the page as JSON, in pieces that end between two tokens
   * @throws ProblemException 409 if the cursor does not belong to the data as they are
   */
  List<byte[]> pull(String userId, long cursor, int limit, String epoch) {
    Optional<PullStore.Page> read = store.read(userId, cursor, limit, 2 * MAX_PAGE_BYTES);
    String current = read.map(PullStore.Page::epoch).orElse(null);
    if (epoch != null && !epoch.equalsIgnoreCase(current)) {
      throw conflict("EPOCH_CHANGED", "The data are not those that the cursor was given for.");
    }
    long head = read.map(PullStore.Page::seq).orElse(0L);
    if (cursor > head) {
      throw conflict("CURSOR_AHEAD", "The cursor is beyond the last change.");
    }
    try {
      return write(read.orElse(null), cursor, head);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ProblemException conflict(String code, String what) {
    String detail =
        what + " Read again from cursor 0 without an epoch, and push again what is still queued.";
    return new ProblemException(Problem.of(409, code, detail));
  }

  /** Ends the page before the row that would exceed it; a row's entries stay together. */
  private List<byte[]> write(PullStore.Page page, long cursor, long head) throws IOException {
    Pieces pieces = new Pieces();
    long last = cursor;
    try (JsonGenerator json = pieces.generator()) {
      json.writeStartObject();
      json.writeArrayFieldStart("changes");
      if (page != null) {
        for (PullStore.NamedRow row : page.rows()) {
          String entries = entries(row);
          pieces.mayCut(json);
          if (last > cursor && pieces.size() + entries.length() > MAX_PAGE_BYTES) {
            break;
          }
          json.writeRawValue(entries);
          last = row.row().seq();
        }
      }
      json.writeEndArray();
      json.writeNumberField("cursor", last);
      json.writeBooleanField("hasMore", last > cursor && last < head);
      if (page != null) {
        json.writeStringField("epoch", page.epoch());
      }
      json.writeEndObject();
    }
    return pieces.all();
  }

  private String entries(PullStore.NamedRow row) {
    return RowJson.entries(Entry.of(row.rowId(), row.row(), contract));
  }
}
