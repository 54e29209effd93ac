-- A row as the last winning operations left it. The unique pair is also the index that a pull reads.
CREATE TABLE sync_rows (
  user_id text COLLATE "C" NOT NULL,
  row_id  text COLLATE "C" NOT NULL,
  fields  jsonb  NOT NULL,
  marks   jsonb  NOT NULL,
  seq     bigint NOT NULL,
  PRIMARY KEY (user_id, row_id),
  UNIQUE (user_id, seq)
);
