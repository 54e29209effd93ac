-- The journal of keyed operations: the answer to a key, written in the transaction of its effect.
-- The body is text and not jsonb: a replay has the same bytes.
CREATE TABLE idempotent_operations (
  principal  text COLLATE "C" NOT NULL,
  operation  text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  request    jsonb       NOT NULL,
  status     smallint    NOT NULL CHECK (status BETWEEN 200 AND 299),
  headers    jsonb       NOT NULL,
  body       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (principal, operation, key)
);

-- The purge reads the oldest first.
CREATE INDEX idempotent_operations_by_age ON idempotent_operations (created_at);
