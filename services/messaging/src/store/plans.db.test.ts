// Plans of the statements in .sql files, with 20,000 messages: 100 projects with 20 mailboxes of ten messages, half of them read.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, type Queryable, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { listMailboxes } from './mailboxes.js';
import { listMessages, searchMessages, takeUnreadMessages } from './messages.js';

let database: TestDatabase;
let projectId: string;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  await database.pool.query(
    `INSERT INTO messages (id, project_id, from_address, to_address, subject, body, thread_id, created_at, read_at)
       SELECT gen_random_uuid(), project, 'agent:b', 'agent:' || box, '', '', gen_random_uuid(), now(), CASE WHEN i % 2 = 0 THEN now() END
       FROM generate_series(1, 10) AS i, generate_series(101, 120) AS box,
         unnest(ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 100))) AS project`,
  );
  await database.analyze();
  const { rows } = await database.pool.query('SELECT project_id AS id FROM messages LIMIT 1');
  projectId = rows[0].id;
});
afterAll(() => database.drop());

const scope = () => ({ projectId, customerId: undefined, isCustomerClient: false });
const ALL = { to: undefined, threadId: undefined, unreadOnly: false };
const SEARCH = { ...ALL, from: undefined, customerId: undefined, before: undefined };
const READING = { limit: 2, at: new Date(), readKey: randomUUID() };

it.each<[string, string, number, (db: Queryable) => Promise<unknown>]>([
  // A step, the newest message and ten messages for each mailbox.
  [
    'mailboxes',
    'messages_project_id_to_address_seq_idx',
    60,
    (db) => listMailboxes(db, scope(), { unreadOnly: false, after: '', limit: 5 }),
  ],
  [
    'mailboxes with unread messages',
    'messages_unread_idx',
    60,
    (db) => listMailboxes(db, scope(), { unreadOnly: true, after: '', limit: 5 }),
  ],
  [
    'a mailbox',
    'messages_project_id_to_address_seq_idx',
    10,
    (db) => listMessages(db, scope(), { ...ALL, to: 'agent:103', after: 0n }, { take: 5, skip: 0 }),
  ],
  [
    'the unread messages of a mailbox',
    'messages_unread_idx',
    10,
    (db) =>
      listMessages(db, scope(), { ...ALL, to: 'agent:103', unreadOnly: true, after: undefined }, { take: 5, skip: 0 }),
  ],
  [
    'a thread',
    'messages_thread_id_seq_idx',
    5,
    (db) => listMessages(db, scope(), { ...ALL, threadId: randomUUID(), after: undefined }, { take: 5, skip: 0 }),
  ],
  ['the newest messages', 'messages_project_id_seq_idx', 5, (db) => searchMessages(db, scope(), SEARCH, 5)],
  [
    'the newest messages of a sender',
    'messages_project_id_from_address_seq_idx',
    5,
    (db) => searchMessages(db, scope(), { ...SEARCH, from: 'agent:c' }, 5),
  ],
  ['an inbox', 'messages_unread_idx', 10, (db) => takeUnreadMessages(db, scope(), { ...READING, to: 'agent:103' })],
])('reads only rows that it needs: %s, by %s', async (_title, index, rowsMax, run) => {
  const read = await explainStatement(database.pool, run, { isGeneric: false });
  expect([read.sequentialScans, read.plan]).toEqual([[], read.plan]);
  expect([read.rowsRead <= rowsMax, read.plan]).toEqual([true, read.plan]);
  expect(read.indexes).toContain(index);
});
