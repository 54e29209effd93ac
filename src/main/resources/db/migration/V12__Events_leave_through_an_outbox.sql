-- Events that are to be told to the outside, written in the transaction of what they tell.
-- The position orders the events of one subject: it is drawn while the subject's row is locked.
CREATE TABLE outbox (
  id              uuid PRIMARY KEY,
  position        bigint GENERATED ALWAYS AS IDENTITY,
  subject         text COLLATE "C" NOT NULL,
  event           text        NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts        integer     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_failure    text,
  delivered_at    timestamptz,
  dead_at         timestamptz,
  CHECK (delivered_at IS NULL OR dead_at IS NULL)
);

COMMENT ON COLUMN outbox.event IS
  'A CloudEvent as it is sent, the same bytes on every try';
COMMENT ON COLUMN outbox.next_attempt_at IS
  'Nobody tries before this: either a relay has just taken the event, or the last try failed';
COMMENT ON COLUMN outbox.dead_at IS
  'Given up. To try again: UPDATE outbox SET dead_at = NULL, attempts = 0, next_attempt_at = now() WHERE id = …';

-- What is open, oldest first for each subject; what is delivered, for the purge; what is dead.
CREATE INDEX outbox_open ON outbox (subject, position)
  WHERE delivered_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_delivered ON outbox (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
