import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { KeyedTurns, systemClock } from '@tollgate/runtime';
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
const insertions = new KeyedTurns({ waitingMax: 100 });
const parts = () => ({ pool: database.pool, clock: systemClock, insertions });
const begin = async (as: Principal) => (await beginFile(parts(), as)).id;
const append = (as: Principal, id: string, part: number) => appendFile(parts(), as, { id, part, body: PART });

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
  const file = { id, purpose: 'batch', filename: 'in.jsonl', parts: 1, expiresAfterSeconds: 0 };
  expect(await completeFile(parts(), customer, file)).toMatchObject({ fileId: readFileId(id), bytes: partBytes });
});
