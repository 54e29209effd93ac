// parse-server on PostgreSQL, as its guide mounts it.
import express from 'express';
import { ParseServer } from 'parse-server';

const port = Number(process.env.PORT);
const server = new ParseServer({
  databaseURI: process.env.DATABASE_URL,
  appId: 'bench',
  masterKey: 'bench-master',
  restAPIKey: 'bench-rest',
  serverURL: `http://127.0.0.1:${port}/parse`,
  cloud: (parse) => {
    parse.Cloud.beforeSave('Row', (request) => {
      if (request.object.get('reps') > 100) throw new Error('повторов больше сотни');
    });
  },
  allowCustomObjectId: true,
  allowClientClassCreation: true,
  logsFolder: null,
  silent: true,
});
await server.start();
const app = express();
app.use('/parse', server.app);
app.listen(port, '127.0.0.1');
