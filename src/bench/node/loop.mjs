// The per-operation loop, as its author would run it: BEGIN, the lock, four statements an operation, COMMIT.
import http from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

await pool.query(`
  CREATE TABLE IF NOT EXISTS sync_heads (user_id text PRIMARY KEY, seq bigint NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS sync_rows (user_id text, row_id text, fields jsonb NOT NULL, marks jsonb NOT NULL,
    seq bigint, PRIMARY KEY (user_id, row_id));
  CREATE INDEX IF NOT EXISTS sync_rows_seq ON sync_rows (user_id, seq);
  CREATE TABLE IF NOT EXISTS sync_verdicts (user_id text, op_id text, status text NOT NULL, reason text,
    PRIMARY KEY (user_id, op_id))`);

const isNewer = (op, mark) => (op.at !== mark.at ? op.at > mark.at : op.opId > mark.opId);

function lay(op, row) {
  const fields = { ...row?.fields };
  const marks = { ...row?.marks };
  let moved = false;
  for (const [name, value] of Object.entries(op.fields)) {
    if (marks[name] && !isNewer(op, marks[name])) continue;
    fields[name] = value;
    marks[name] = { at: op.at, opId: op.opId };
    moved = true;
  }
  return { fields, marks, moved };
}

function broken(fields) {
  const missing = ['exercise', 'weightKg', 'reps'].filter((name) => !(name in fields));
  if (missing.length > 0) return `нет полей: ${missing.join(', ')}`;
  return fields.reps > 100 ? 'повторов больше сотни' : null;
}

async function accept(client, user, op) {
  const found = await client.query(
    'SELECT fields, marks FROM sync_rows WHERE user_id = $1 AND row_id = $2', [user, op.rowId]);
  const row = found.rows[0];
  const next = lay(op, row);
  const reason = row && !next.moved ? null : broken(next.fields);
  const put = await client.query(
    `INSERT INTO sync_verdicts (user_id, op_id, status, reason) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING status`,
    [user, op.opId, reason ? 'rejected' : 'applied', reason]);
  if (put.rowCount === 0) {
    const saved = await client.query(
      'SELECT status, reason FROM sync_verdicts WHERE user_id = $1 AND op_id = $2', [user, op.opId]);
    const { status, reason: said } = saved.rows[0];
    return status === 'applied' ? { opId: op.opId, status: 'duplicate' } : { opId: op.opId, status, reason: said };
  }
  if (reason) return { opId: op.opId, status: 'rejected', reason };
  if (next.moved) {
    const head = await client.query('UPDATE sync_heads SET seq = seq + 1 WHERE user_id = $1 RETURNING seq', [user]);
    await client.query(
      `INSERT INTO sync_rows (user_id, row_id, fields, marks, seq) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id, row_id)
       DO UPDATE SET fields = excluded.fields, marks = excluded.marks, seq = excluded.seq`,
      [user, op.rowId, next.fields, next.marks, head.rows[0].seq]);
  }
  return { opId: op.opId, status: 'applied' };
}

async function push(user, batch) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO sync_heads (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [user]);
    await client.query('SELECT seq FROM sync_heads WHERE user_id = $1 FOR UPDATE', [user]);
    const verdicts = [];
    for (const op of batch) verdicts.push(await accept(client, user, op));
    await client.query('COMMIT');
    return { verdicts };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function pull(user, cursor) {
  const { rows } = await pool.query(
    `SELECT row_id, fields, marks, seq FROM sync_rows WHERE user_id = $1 AND seq > $2 ORDER BY seq LIMIT 1000`,
    [user, cursor]);
  return { changes: rows, cursor: rows.at(-1)?.seq ?? cursor, hasMore: rows.length === 1000 };
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks));
}

http
  .createServer(async (request, response) => {
    try {
      const url = new URL(request.url, 'http://loop');
      const user = url.searchParams.get('user');
      const body = await read(request);
      const answer = url.pathname === '/push'
        ? await push(user, body.batch)
        : await pull(user, Number(url.searchParams.get('cursor')));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      response.writeHead(500).end(String(error.stack));
    }
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
