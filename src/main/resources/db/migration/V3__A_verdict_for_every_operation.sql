-- The verdict memory: what was answered to an operation, forever. Never purged.
-- The primary key answers the only question asked of it, so there is no other index.
CREATE TABLE sync_verdicts (
  user_id     text COLLATE "C" NOT NULL,
  op_id       text COLLATE "C" NOT NULL,
  fingerprint bigint NOT NULL,
  decided_at  timestamptz NOT NULL DEFAULT now(),
  status      text NOT NULL CHECK (status IN ('applied', 'rejected')),
  reason      text,
  code        text,
  PRIMARY KEY (user_id, op_id),
  CHECK ((status = 'rejected') = (reason IS NOT NULL))
);
