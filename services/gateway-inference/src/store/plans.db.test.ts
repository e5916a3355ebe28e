// Plans of the statements in .sql files that read rows, in tables of 20,000 rows: 200 callers with 100 rows each.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, type Queryable, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { insertItems } from './conversation-items.js';
import { deleteConversationsBeyond } from './conversations.js';
import { storeResponse } from './gen/responses.js';
import { deleteBeyond } from './responses.js';

const ROWS = 20_000;
const CALLERS = 200;

let database: TestDatabase;
let caller: { id: string; projectId: string };
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  const from = `unnest(ARRAY(SELECT gen_random_uuid() FROM generate_series(1, ${CALLERS}))) AS project,
    generate_series(1, ${ROWS / CALLERS}) AS i`;
  await database.pool.query(
    `INSERT INTO conversations (id, project_id, metadata, next_position, items, bytes, created_at, expires_at)
       SELECT gen_random_uuid(), project, '{}', 0, 0, 0, now(), now() FROM ${from}`,
  );
  await database.pool.query(
    `INSERT INTO stored_responses (id, project_id, response_id, response, input_items, output_items, bytes, created_at, expires_at,
       kept_until)
       SELECT id, project_id, id, '', '', '', 1, now(), now(), now() FROM conversations`,
  );
  await database.pool.query(
    `UPDATE stored_responses r SET previous_id = c.id FROM stored_responses c
     WHERE c.project_id = r.project_id AND c.id = (SELECT max(id::text)::uuid FROM stored_responses p
       WHERE p.project_id = r.project_id AND p.id < r.id)`,
  );
  await database.analyze();
  const { rows } = await database.pool.query(
    'SELECT id, project_id AS "projectId" FROM stored_responses ORDER BY id DESC LIMIT 1',
  );
  caller = rows[0];
});
afterAll(() => database.drop());

const LIMITS = { responsesMax: 10, bytesMax: 10 };
const owner = () => ({ projectId: caller.projectId, customerId: null });
const toResponse = () => ({
  ...owner(),
  ...{
    id: randomUUID(),
    responseId: 'r',
    previousId: caller.id,
    response: '',
    inputItems: '',
    outputItems: '',
    bytes: 1,
  },
  ...{ outputIds: [{ position: 0, itemId: 'i' }], createdAt: new Date(), expiresAt: new Date() },
});
const ITEMS = { sourceId: randomUUID(), first: 0, items: [{ itemId: 'i', item: '', bytes: 1 }] };

it.each<[string, string, number, (db: Queryable) => Promise<unknown>]>([
  // The chain of 20 responses is read, and renewed.
  ['a response of a chain', 'stored_responses_pkey', 60, (db) => storeResponse(db, { ...toResponse(), chainMax: 20 })],
  ['the responses of a caller', 'stored_responses_caller_idx', 200, (db) => deleteBeyond(db, owner(), LIMITS, 90)],
  [
    'the conversations of a caller',
    'conversations_caller_idx',
    200,
    (db) => deleteConversationsBeyond(db, owner(), LIMITS, 90),
  ],
  ['items of a conversation', 'conversations_pkey', 5, (db) => insertItems(db as never, caller.id, ITEMS)],
])('reads only rows that it needs: %s, by %s', async (_title, index, rowsMax, run) => {
  const read = await explainStatement(database.pool, run);
  expect([read.sequentialScans, read.plan]).toEqual([[], read.plan]);
  expect([read.rowsRead <= rowsMax, read.plan]).toEqual([true, read.plan]);
  expect(read.indexes).toContain(index);
});
