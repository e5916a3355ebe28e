// Plans of the statements in .sql files that read rows, in a table of 20,000 sessions.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { appendSessionMessage } from './gen/sessions.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  await database.pool.query(
    `INSERT INTO sessions (id, project_id, metadata, tool_state, message_count, message_bytes, created_at, updated_at)
       SELECT gen_random_uuid(), project, '{}', '{}', 0, 0, now(), now()
       FROM unnest(ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 100))) AS project, generate_series(1, 200)`,
  );
  await database.analyze();
});
afterAll(() => database.drop());

it('appends a message by the key of the session', async () => {
  const { rows } = await database.pool.query('SELECT id, project_id AS "projectId" FROM sessions LIMIT 1');
  const place = { sessionId: rows[0].id, projectId: rows[0].projectId, customerId: null, messageId: randomUUID() };
  const message = { role: 'user', content: '{}', contentBytes: 2, runId: null, createdAt: new Date() };
  const read = await explainStatement(database.pool, (db) =>
    appendSessionMessage(db, { ...place, ...message, messagesMax: 10, bytesMax: 10 }),
  );
  expect(read).toMatchObject({ indexes: ['sessions_pkey'], sequentialScans: [] });
  expect(read.rowsRead).toBeLessThan(5);
});
