// express-pouchdb over PouchDB's LevelDB adapter, with the routes that a replicating PouchDB uses.
import expressPouchDB from 'express-pouchdb';
import PouchDB from 'pouchdb';

const directory = process.env.DATA;
const Store = PouchDB.defaults({ prefix: `${directory}/` });
const app = expressPouchDB(Store, {
  mode: 'minimumForPouchDB',
  inMemoryConfig: true,
  logPath: `${directory}/log.txt`,
});
app.listen(Number(process.env.PORT), '127.0.0.1');
