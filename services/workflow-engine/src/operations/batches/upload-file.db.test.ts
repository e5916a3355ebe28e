import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { FairSlots, systemClock } from '@tollgate/runtime';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { readFileId } from './batch-owner.js';
import { appendFile, beginFile, completeFile } from './upload-file.js';

const { customerFiles, customerBytes, projectBytes, projectFiles, partBytes } = batchLimits;
const PART = Buffer.alloc(partBytes, 'a');

let database: TestDatabase;
let projectId: string;
let customer: Principal;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(() => {
  projectId = randomUUID();
  customer = principal(PrincipalKind.CUSTOMER, randomUUID());
});

const principal = (kind: PrincipalKind, customerId = '') =>
  create(PrincipalSchema, { kind, projectId, accountId: projectId, customerId });
const insertions = new FairSlots({ slots: 100, accountMax: 1, waitingMax: 1_000 });
const parts = () => ({ pool: database.pool, clock: systemClock, insertions });
const begin = async (as: Principal) => (await beginFile(parts(), as)).id;
const append = (as: Principal, id: string, part: number) => appendFile(parts(), as, { id, part, body: PART });

const toForm = (id: string, change: object = {}) => ({
  id,
  purpose: 'batch',
  filename: 'in.jsonl',
  parts: 1,
  expiresAfterSeconds: 0,
  idempotencyKey: '',
  contentSha256: 'a'.repeat(64),
  ...change,
});

/** Uploads one part, and completes the file under the key. */
async function upload(as: Principal, idempotencyKey: string, change: object = {}) {
  const id = await begin(as);
  await append(as, id, 0);
  return completeFile(parts(), as, toForm(id, { idempotencyKey, ...change }));
}

/** Stores complete files: `bytes` is the size of each. */
async function store(as: Principal, files: number, bytes: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO files (file_id, account_id, project_id, customer_id, purpose, bytes, is_complete, expires_at)
     SELECT gen_random_uuid(), $1, $1, $2, 'batch', $3, true, now() + interval '1 h' FROM generate_series(1, $4)`,
    [projectId, as.customerId || null, bytes, files],
  );
}

async function readTotals(): Promise<{ files: number; bytes: number }> {
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS files, coalesce(sum(bytes), 0)::int AS bytes FROM files WHERE project_id = $1',
    [projectId],
  );
  return rows[0];
}

/** Returns how many calls were refused, each with the message. */
async function countRefused(calls: Promise<unknown>[], message: string): Promise<number> {
  const refused = (await Promise.allSettled(calls)).filter((result) => result.status === 'rejected');
  for (const { reason } of refused) expect([reason.code, reason.message]).toEqual(['CONFLICT', message]);
  return refused.length;
}

const exceeded = (who: string, what: string) =>
  `with this file the ${who} would store more than ${what}: delete files that are not needed`;

describe('the files of a customer', () => {
  it('limits the number of files, also for concurrent uploads', async () => {
    await store(customer, customerFiles - 3, 1);
    const calls = Array.from({ length: 8 }, () => begin(customer));
    expect(await countRefused(calls, exceeded('customer', `${customerFiles} files`))).toBe(5);
    expect((await readTotals()).files).toBe(customerFiles);
  });

  it('limits the bytes, also for concurrent parts of several uploads', async () => {
    await store(customer, 1, customerBytes - 3 * partBytes);
    const ids = await Promise.all(Array.from({ length: 8 }, () => begin(customer)));
    const calls = ids.map((id) => append(customer, id, 0));
    expect(await countRefused(calls, exceeded('customer', `${customerBytes} bytes`))).toBe(5);
    // Uploads that were refused are deleted.
    expect(await readTotals()).toEqual({ files: 4, bytes: customerBytes });
  });

  it('leaves other customers and the project without these limits', async () => {
    await store(customer, 1, customerBytes);
    for (const other of [principal(PrincipalKind.CUSTOMER, randomUUID()), principal(PrincipalKind.SECRET_KEY)]) {
      await append(other, await begin(other), 0);
    }
    await expect(append(customer, await begin(customer), 0)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('counts files that a secret key stores for the customer', async () => {
    await store(customer, 1, customerBytes);
    const key = principal(PrincipalKind.SECRET_KEY, customer.customerId);
    await expect(append(key, await begin(key), 0)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the files of a project', () => {
  it('limits their number and bytes, also for concurrent uploads', async () => {
    const key = principal(PrincipalKind.SECRET_KEY);
    await store(key, 1, projectBytes - 2 * partBytes);
    const ids = await Promise.all(Array.from({ length: 6 }, () => begin(key)));
    const appended = ids.map((id) => append(key, id, 0));
    expect(await countRefused(appended, exceeded('project', `${projectBytes} bytes`))).toBe(4);
    await store(key, projectFiles - 4, 0);
    const begun = Array.from({ length: 3 }, () => begin(key));
    expect(await countRefused(begun, exceeded('project', `${projectFiles} files`))).toBe(2);
  });
});

it('stores the last part of an upload that fills the limit again, and completes it', async () => {
  await store(customer, 1, customerBytes - partBytes);
  const id = await begin(customer);
  await append(customer, id, 0);
  await append(customer, id, 0);
  expect(await completeFile(parts(), customer, toForm(id))).toMatchObject({ fileId: readFileId(id), bytes: partBytes });
});

describe('an upload with an idempotency key', () => {
  it('returns the file of the same request and keeps no second one', async () => {
    const first = await upload(customer, 'k');
    expect(await upload(customer, 'k')).toEqual(first);
    expect(await readTotals()).toEqual({ files: 1, bytes: partBytes });
  });

  it('returns one file to concurrent requests', async () => {
    const files = await Promise.all(Array.from({ length: 5 }, () => upload(customer, 'k')));
    expect(new Set(files.map(({ fileId }) => fileId)).size).toBe(1);
    expect((await readTotals()).files).toBe(1);
  });

  it.each([
    { contentSha256: 'b'.repeat(64) },
    { purpose: 'user_data' },
    { filename: 'other.jsonl' },
    { expiresAfterSeconds: 3_600 },
  ])('refuses another request with the key (%j) and stores nothing of it', async (change) => {
    await upload(customer, 'k');
    await expect(upload(customer, 'k', change)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await readTotals()).files).toBe(1);
  });

  it('refuses the key of a file that has been deleted', async () => {
    const { fileId } = await upload(customer, 'k');
    await database.pool.query('DELETE FROM files WHERE file_id = $1', [fileId]);
    await expect(upload(customer, 'k')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('completes the same upload again', async () => {
    const id = await begin(customer);
    await append(customer, id, 0);
    const form = toForm(id, { idempotencyKey: 'k' });
    const first = await completeFile(parts(), customer, form);
    expect(await completeFile(parts(), customer, form)).toEqual(first);
  });

  it('gives the key back when the upload is not complete', async () => {
    const id = await begin(customer);
    await append(customer, id, 0);
    const early = toForm(id, { idempotencyKey: 'k', parts: 2 });
    await expect(completeFile(parts(), customer, early)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await upload(customer, 'k', { filename: 'other.jsonl' })).toMatchObject({ filename: 'other.jsonl' });
  });

  it('keeps the keys of customers and of the project apart', async () => {
    const others = [principal(PrincipalKind.CUSTOMER, randomUUID()), principal(PrincipalKind.SECRET_KEY)];
    const files = [];
    for (const as of [customer, ...others]) files.push(await upload(as, 'k'));
    expect(new Set(files.map(({ fileId }) => fileId)).size).toBe(3);
  });
});
