// Plans of the statements on batches and files, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, it } from '@jest/globals';
import { FIRST_ID, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { expectPlan, type PlanCase, toId } from '../../testing/expect-plan.js';
import * as lines from '../gen/batches/batch-lines.js';
import { lockBatchStep, visitBatchSteps } from '../gen/batches/batch-steps.js';
import { cancelBatch, endBatch, finalizeBatches, findBatch, insertBatch, listBatches } from '../gen/batches/batches.js';
import { findDueLines, leaseLines, visitLineAccounts } from '../gen/batches/claim-lines.js';
import { claimBatchKey, claimFileKey } from '../gen/batches/creation-keys.js';
import * as files from '../gen/batches/files.js';

let database: TestDatabase;
beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations, settings: QUEUE_SESSION_SETTINGS });
  // Ten rows of each of 2,000 projects, whose account and customer have the same id.
  const statements = [
    `INSERT INTO files (file_id, account_id, project_id, customer_id, purpose, is_complete, expires_at)
     SELECT md5('file' || n)::uuid, id, id, id, 'batch', n % 2 = 0, now() + interval '1 h'
     FROM generate_series(1, 20000) AS n, CAST(md5('owner' || n % 2000) AS uuid) AS id`,
    `INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, endpoint, input_file_id, output_ttl_seconds,
       status, ended_at, expires_at)
     SELECT md5('batch' || n)::uuid, id, id, id, '', '/v1/responses', id, 0,
       (ARRAY['validating', 'in_progress', 'finalizing', 'completed'])[n / 2000 % 4 + 1], CASE WHEN n / 2000 % 4 = 3 THEN now() END,
       now() + interval '1 h'
     FROM generate_series(1, 20000) AS n, CAST(md5('owner' || n % 2000) AS uuid) AS id`,
    `INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body, is_done, lease_owner, lease_until, lease_epoch)
     SELECT batch_id, account_id, line, line, '{}', line > 20, CASE WHEN line < 3 THEN account_id END,
       CASE WHEN line < 3 THEN now() END, 1
     FROM batches, generate_series(1, 500) AS line WHERE account_id = ANY (ARRAY(
       SELECT md5('owner' || n)::uuid FROM generate_series(1, 4) AS n))`,
    ...['file', 'batch'].map(
      (kind) => `INSERT INTO ${kind}_keys (project_id, scope, key, request_hash, ${kind}_id)
        SELECT md5('owner' || n % 2000)::uuid, 'project', n, '', gen_random_uuid() FROM generate_series(1, 20000) AS n`,
    ),
  ];
  for (const statement of statements) await database.pool.query(statement);
  await database.analyze();
});
afterAll(() => database.drop());

/** Both lead to the one row. */
const FILE_KEY = ['files_project', 'files_pkey'];
const BATCH_KEY = ['batches_project', 'batches_pkey'];
const LINE_KEY = ['batch_lines_pkey'];
const STEP = ['batches_stepping', 'batch_lines_leased', 'batch_lines_lost', 'batch_lines_custom_id'];
const OWNER = toId('owner1');
const owner = { projectId: OWNER, customerId: OWNER };
const page = { ...owner, after: null, limit: 5 };
const [validating, inProgress, finalizing] = [toId('batch1'), toId('batch2001'), toId('batch4001')];
const [upload, file] = [
  { ...owner, fileId: toId('file1') },
  { ...owner, fileId: toId('file2') },
];
const key = { projectId: OWNER, scope: 'project', key: '1', requestHash: '', id: OWNER };
const ended = { line: 1, epoch: 1, statusCode: 200, answer: '{}', isSuccess: true };
const line = { batchId: inProgress, line: 1, epoch: 1 };
const due = { batchId: inProgress, line: 3, weight: 2, turn: 1n };
const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const created = {
  ...owner,
  batchId: randomUUID(),
  accountId: OWNER,
  principal: Buffer.from(''),
  traceparent: null,
  endpoint: '/v1/responses',
  inputFileId: OWNER,
  metadata: null,
  outputTtlSeconds: 1,
  windowMs: 1,
  projectMax: 50,
  customerMax: 50,
};

const cases: Record<string, PlanCase> = {
  'creates a batch': { run: (db) => insertBatch(db, created), indexes: ['batches_project'], rowsMax: 10 },
  'finds a batch': {
    run: (db) => findBatch(db, { ...owner, batchId: validating }),
    indexes: BATCH_KEY,
    rowsMax: 1,
  },
  'lists batches': { run: (db) => listBatches(db, page), indexes: ['batches_project'], rowsMax: 10 },
  'cancels a batch': {
    run: (db) => cancelBatch(db, { ...owner, batchId: inProgress }),
    indexes: BATCH_KEY,
    rowsMax: 1,
  },
  'visits a page of unfinished batches': {
    run: (db) => finalizeBatches(db, { after: FIRST_ID }),
    indexes: ['batches_unfinished', 'batches_pkey'],
    rowsMax: 500,
  },
  'visits accounts with a step': {
    run: (db) => visitBatchSteps(db, { after: FIRST_ID }),
    indexes: STEP,
    rowsMax: 300,
  },
  'locks the batch of a step': {
    run: (db) => lockBatchStep(db, { accountIds: [OWNER] }),
    indexes: [...STEP, 'batches_unfinished'],
    rowsMax: 60,
  },
  'ends a batch': {
    run: (db) => endBatch(db, { batchId: finalizing, outcome: 'completed', outputFileId: null, errorFileId: null }),
    indexes: ['batches_pkey'],
    rowsMax: 1,
  },
  'adds lines': {
    run: (db) =>
      lines.insertLines(db, {
        batchId: validating,
        accountId: OWNER,
        lines: [{ line: 501, customId: 'd', body: '{}' }],
      }),
    indexes: [],
    rowsMax: 0,
  },
  'ends a line': {
    run: (db) => lines.endLine(db, { ...ended, ...usage, batchId: inProgress }),
    indexes: ['batch_lines_pkey', 'batches_pkey'],
    rowsMax: 3,
  },
  'visits accounts with due lines': {
    run: (db) => visitLineAccounts(db, { after: FIRST_ID, accountConcurrency: 16 }),
    indexes: ['batches_running', 'batch_lines_due_accounts', 'batch_lines_claimable', 'batch_lines_leased'],
    rowsMax: 600,
  },
  'finds due lines': {
    run: (db) => findDueLines(db, { ...batchLimits, accountIds: [OWNER], from: FIRST_ID }),
    indexes: ['batches_running', 'batch_lines_claimable', 'batch_lines_leased', 'batches_pkey', 'batches_unfinished'],
    rowsMax: 300,
  },
  'leases lines': {
    run: (db) => leaseLines(db, { ...batchLimits, bytes: 1_000, due: [due], owner: OWNER, leaseMs: 1 }),
    indexes: [
      ...LINE_KEY,
      'batch_lines_leased',
      'batches_ending',
      'batch_lines_lost',
      'batch_lines_claimable',
      'batches_pkey',
    ],
    rowsMax: 500,
  },
  'extends leases of lines': {
    run: (db) => lines.extendLines(db, { batchIds: [inProgress], lines: [1], epochs: [1], owner: OWNER, leaseMs: 1 }),
    indexes: LINE_KEY,
    rowsMax: 3,
  },
  'reads the body of a line': {
    run: (db) => lines.readLineBody(db, line),
    indexes: LINE_KEY,
    rowsMax: 1,
  },
  'marks a line as dispatched': { run: (db) => lines.dispatchLine(db, line), indexes: LINE_KEY, rowsMax: 1 },
  'puts a line back': {
    run: (db) => lines.putBackLine(db, { ...line, delayMs: 1, next: 'same', counts: 'nothing' }),
    indexes: LINE_KEY,
    rowsMax: 1,
  },
  'claims the key of a batch': { run: (db) => claimBatchKey(db, key), indexes: [], rowsMax: 0 },
  'claims the key of a file': { run: (db) => claimFileKey(db, key), indexes: [], rowsMax: 0 },
  'appends a part': {
    run: (db) => files.appendPart(db, { ...upload, part: 0, body: Buffer.from('a'), bytesMax: 10 }),
    indexes: FILE_KEY,
    rowsMax: 2,
  },
  'deletes an upload': { run: (db) => files.deleteUpload(db, upload), indexes: FILE_KEY, rowsMax: 1 },
  'completes a file': {
    run: (db) => files.completeFile(db, { ...upload, purpose: 'batch', filename: 'f', parts: 0, ttlMs: 1 }),
    indexes: FILE_KEY,
    rowsMax: 1,
  },
  'finds a file': { run: (db) => files.findFile(db, file), indexes: FILE_KEY, rowsMax: 1 },
  'lists files from the oldest': {
    run: (db) => files.listOldestFiles(db, { ...page, purpose: '' }),
    indexes: ['files_project'],
    rowsMax: 10,
  },
  'lists files from the newest': {
    run: (db) => files.listNewestFiles(db, { ...page, purpose: '' }),
    indexes: ['files_project'],
    rowsMax: 10,
  },
  'deletes a file': { run: (db) => files.deleteFile(db, file), indexes: FILE_KEY, rowsMax: 1 },
};

it.each(Object.entries(cases))('reads few rows and through indexes: %s', (_, each) => expectPlan(database.pool, each));
