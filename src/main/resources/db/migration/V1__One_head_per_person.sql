-- The counter row of a person. Its lock serialises that person's batches.
-- Every push updates it once: the free half of each page keeps those updates within the page.
CREATE TABLE sync_heads (
  user_id text COLLATE "C" PRIMARY KEY,
  seq     bigint NOT NULL DEFAULT 0 CHECK (seq >= 0),
  epoch   uuid   NOT NULL DEFAULT gen_random_uuid()
) WITH (fillfactor = 50);

COMMENT ON COLUMN sync_heads.epoch IS
  'Which life of the data the cursors belong to. After a restore from a backup: UPDATE sync_heads SET epoch = gen_random_uuid()';
