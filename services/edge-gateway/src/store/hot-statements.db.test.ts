// Plans of the statements of each request, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainStatement, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { findKeyByHashes } from './gen/api-keys.js';
import { keepAnswer, renewClaim } from './gen/idempotency-records.js';
import { listSignIns } from './gen/sessions.js';

const USER = randomUUID();
const ROWS = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  await database.pool.query(`INSERT INTO accounts (id) VALUES ('${USER}')`);
  await database.pool.query(
    `INSERT INTO users (id, account_id, email, email_key) VALUES ('${USER}', '${USER}', 'a@example.com', 'a@example.com')`,
  );
  await database.pool.query(
    `INSERT INTO projects (id, account_id, owner_id, name)
       SELECT gen_random_uuid(), '${USER}', '${USER}', 'p' FROM generate_series(1, ${ROWS})`,
  );
  await database.pool.query(
    `INSERT INTO api_keys (id, project_id, kind, label, key_hash, last4, previous_key_hash)
       SELECT gen_random_uuid(), id, 'secret', 'k', sha256(id::text::bytea), 'abcd', sha256(('old' || id)::bytea) FROM projects`,
  );
  await database.pool.query(
    `INSERT INTO idempotency_records (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
       SELECT 's' || i % 100, '/v1/responses', i, '', gen_random_uuid(), now(), now() FROM generate_series(1, ${ROWS}) AS i`,
  );
  await database.pool.query(
    `INSERT INTO sessions (id, user_id, expires_at)
       SELECT gen_random_uuid(), '${USER}', now() - interval '1 day' FROM generate_series(1, 5)`,
  );
  await database.pool.query('ANALYZE');
});
afterAll(() => database.drop());

describe('the statements of each request', () => {
  it('finds a key and its project by index, under the present hash or the one before', async () => {
    const hashes = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const read = await explainStatement(database.pool, (db) => findKeyByHashes(db, { hashes }));
    expect(read.indexes).toEqual(
      expect.arrayContaining(['api_keys_key_hash_key', 'api_keys_previous_key_hash_key', 'projects_pkey']),
    );
    expect(read.sequentialScans).toEqual([]);
    expect(read.rowsRead).toBeLessThan(10);
  });

  it('renews a claim and keeps an answer by the key of the record', async () => {
    const key = { scope: 's1', path: '/v1/responses', key: '1', claimId: randomUUID() };
    const answer = { status: 200, headers: '{}', body: Buffer.alloc(0), sealedMs: null };
    for (const run of [
      await explainStatement(database.pool, (db) => renewClaim(db, { ...key, leaseMs: 30_000 })),
      await explainStatement(database.pool, (db) => keepAnswer(db, { ...key, ...answer })),
    ]) {
      expect(run).toMatchObject({ indexes: ['idempotency_records_pkey'], sequentialScans: [] });
      expect(run.rowsRead).toBeLessThan(10);
    }
  });

  it('lists the sessions of a user by index', async () => {
    const input = { userId: randomUUID(), at: new Date(), afterAt: null, afterId: null, limit: 20 };
    await database.pool.query(
      `INSERT INTO users (id, account_id, email, email_key)
         SELECT gen_random_uuid(), '${USER}', i, i FROM generate_series(1, ${ROWS}) AS i;
       INSERT INTO sessions (id, user_id, expires_at) SELECT gen_random_uuid(), id, now() + interval '1 day' FROM users;
       ANALYZE sessions`,
    );
    const read = await explainStatement(database.pool, (db) => listSignIns(db, input), { isGeneric: false });
    expect(read).toMatchObject({ indexes: ['sessions_user_id_idx'], sequentialScans: [] });
  });
});
