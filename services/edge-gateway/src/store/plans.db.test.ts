// Plans of the statements in .sql files that read rows, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainStatement, type Queryable, type TestDatabase, testDatabase } from '@tollgate/postgres';
import type { RequestEntry } from '../domain/reports/request-entry.js';
import { findKeyByHashes, findKeyIssuer } from './gen/api-keys.js';
import { keepAnswer, renewClaim } from './gen/idempotency-records.js';
import { countMailsBefore } from './gen/mails.js';
import { changeProject } from './gen/projects.js';
import { findProjectsOfDay } from './gen/requests/rollups/progress.js';
import { listSignIns } from './gen/sessions.js';
import { addDay } from './requests/partitions.js';
import { insertRequests, replaceRequests } from './requests/request-entries.js';

const USER = randomUUID();
const ROWS = 20_000;
const DAYS = [new Date('2026-11-20T00:00:00Z'), new Date('2026-11-21T00:00:00Z')];

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
  await database.pool.query(
    `INSERT INTO audit_events (id, account_id, action, actor_kind, actor_id, subject_id, address, request_id, at)
       SELECT gen_random_uuid(), CASE i % 20 WHEN 0 THEN '${USER}' ELSE gen_random_uuid() END, 'api_key.created', 'user', '', i, '', '', now() - i * interval '1 minute'
       FROM generate_series(1, ${ROWS}) AS i`,
  );
  await database.pool.query(
    `INSERT INTO mails (id, kind, recipient, base_url, created_at, expires_at, due_at)
       SELECT gen_random_uuid(), 'invitation', i || '@example.com', '', now(), now(), now() FROM generate_series(1, ${ROWS}) AS i`,
  );
  for (const day of DAYS) await addDay(database.pool, day.getTime());
  await database.pool.query(
    `INSERT INTO requests (id, at, account_id, project_id, status, is_stream, is_cached, is_estimated, input_tokens,
       output_tokens, cache_read_input_tokens, cache_write_input_tokens, reasoning_tokens, images, revenue_microcents,
       cost_microcents, overrun_microcents, unreconciled_microcents)
     SELECT gen_random_uuid(), day + i * interval '1 second', $2, project, 'succeeded', false, false, false, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0
     FROM unnest($1::timestamptz[]) AS day, unnest(ARRAY(SELECT id FROM projects LIMIT 5)) AS project,
       generate_series(1, ${ROWS / 10}) AS i`,
    [DAYS, USER],
  );
  await database.analyze();
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

describe('the other statements', () => {
  const mail = {
    id: randomUUID(),
    kind: 'invitation',
    emailKey: '7@example.com',
    createdAt: new Date(),
    since: DAYS[0]!,
  };
  const change = {
    name: 'p',
    billingMode: null,
    markupPercentage: null,
    publishableClaims: null,
    responseCache: null,
    unsupportedParameters: null,
    mcpForCustomers: null,
    portalOrigins: null,
    ...{ setsDescription: false, description: null, setsResponseStorage: false, responseStorage: null },
    ...{ setsPortalColor: false, portalColor: null, at: new Date(), accountId: USER },
  };
  const statements: [string, string, number, (db: Queryable, ids: Ids) => Promise<unknown>][] = [
    ['issuers of keys', 'audit_events_account_id_at_id_idx', 40, (db, { key }) => findKeyIssuer(db, { keyId: key })],
    ['mails to an address', 'mails_recipient_created_at_idx', 5, (db) => countMailsBefore(db, mail)],
    ['changes of projects', 'projects_pkey', 5, (db, ids) => changeProject(db, { ...change, projectId: ids.project })],
    // A step for each of five projects, on both days in the plan.
    [
      'projects of a day',
      'requests_20261120_project_id_at_id_idx',
      40,
      (db) => findProjectsOfDay(db, { day: DAYS[0]! }),
    ],
    ['reports of requests', 'no index', 0, (db, { request }) => insertRequests(db, [toEntry(request)])],
    [
      'late reports',
      'requests_20261121_pkey',
      5,
      (db, { request }) => replaceRequests(db, [toEntry(request)], DAYS[1]!),
    ],
  ];

  it.each(statements)('reads only rows that it needs: %s, by %s', async (_title, index, rowsMax, run) => {
    const { rows } = await database.pool.query<Ids>(
      `SELECT k.id AS key, k.project_id AS project, r.id AS request FROM api_keys k, requests r WHERE r.at >= $1 LIMIT 1`,
      [DAYS[1]],
    );
    const read = await explainStatement(database.pool, (db) => run(db, rows[0]!));
    expect([read.sequentialScans, read.plan]).toEqual([[], read.plan]);
    expect([read.rowsRead <= rowsMax, read.plan]).toEqual([true, read.plan]);
    expect([...read.indexes, 'no index']).toContain(index);
  });
});

interface Ids {
  key: string;
  project: string;
  request: string;
}

function toEntry(id: string): RequestEntry {
  const counts = {
    inputTokens: 1n,
    outputTokens: 1n,
    cacheReadInputTokens: 0n,
    cacheWriteInputTokens: 0n,
    reasoningTokens: 0n,
  };
  const money = { revenueMicrocents: 1n, costMicrocents: 1n, overrunMicrocents: 0n, unreconciledMicrocents: 0n };
  const flags = { isStream: false, isCached: false, isEstimated: false };
  const absent = { clientRequestId: null, customerId: null, keyId: null, tierCode: null, model: null, provider: null };
  const ending = { httpStatus: null, errorCode: null, stopReason: null, durationMs: null, firstOutputMs: null };
  const at = new Date(DAYS[1]!.getTime() + 80_000_000);
  const place = { id, at, accountId: USER, projectId: USER, status: 'succeeded' } as const;
  return { ...place, images: 0, ...counts, ...money, ...flags, ...absent, ...ending };
}
