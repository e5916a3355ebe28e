import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST_ID, type TestDatabase, type Tx, testDatabase, withTransaction } from '@tollgate/postgres';
import type { ClaimBounds } from '../queues/queued-requests.js';
import { type BackgroundItem, backgroundQueue, endBackground } from './background-queue.js';
import { cancelBackground, findBackground, insertBackground, pruneBackground } from './background-responses.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('DELETE FROM background_responses');
});

interface Queued {
  accountId: string;
  projectId?: string;
  customerId?: string | null;
  bytes?: number;
  head?: string;
  endedHead?: string;
}

const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
let count = 0;

/** In the transaction, or in one of its own. */
function inTransaction<T>(tx: Tx | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  return tx ? work(tx) : withTransaction(database.pool, work);
}

/** Queues a response. Later ones have higher ids. */
async function add(
  { accountId, projectId = accountId, customerId = null, bytes = 1, head = '{}', endedHead }: Queued,
  transaction?: Tx,
) {
  count += 1;
  const id = toId(count);
  const times = { timeoutMs: 60_000, holdTtlMs: 60_000, isStreamed: false };
  const rest = { principal: Buffer.from(''), traceparent: undefined, body: '{}', options: '{}', ...times };
  await inTransaction(transaction, (tx) =>
    insertBackground(tx, { id, accountId, projectId, customerId, head, endedHead, bytes, ...rest }),
  );
  return id;
}

/** Claims as a process of its own. */
async function claim(bounds: Partial<ClaimBounds> = {}, transaction?: Tx): Promise<BackgroundItem[]> {
  const concurrency = { slots: 100, accountConcurrency: 100, callerConcurrency: 100 };
  const sizes = {
    bytes: 1_000_000,
    accountBytes: 1_000_000,
    callerBytes: 1_000_000,
    smallBytes: 10,
    requestBytes: 1_000,
  };
  const all = { ...concurrency, ...sizes, ...bounds };
  const lease = { owner: randomUUID(), leaseMs: 60_000 };
  return inTransaction(transaction, async (tx) => (await backgroundQueue.claim(tx, lease, all, FIRST_ID)).items);
}

describe('an ended response', () => {
  const max = {
    callerEndedResponses: 2,
    callerEndedBytes: 100,
    projectEndedResponses: 100,
    projectEndedBytes: 100_000,
  };
  const end = async (id: string, status: 'completed' | 'failed', answer?: string) => {
    const [item] = (await claim()).filter((each) => each.id === id);
    await endBackground(database.pool, item!, { status, answer, error: undefined });
  };
  const sizes = async () => {
    const text = 'SELECT id, head, bytes FROM background_responses ORDER BY id';
    return (await database.pool.query<{ id: string; head: string; bytes: number }>(text)).rows;
  };

  /** Ids of the same millisecond have no order. */
  const listIds = async () => new Set((await sizes()).map(({ id }) => id));

  it('stores no head once it is complete, and counts what it stores', async () => {
    const accountId = randomUUID();
    const id = await add({ accountId, head: '{"instructions":"be brief"}', bytes: 500 });
    await end(id, 'completed', '"answer"');
    expect(await sizes()).toEqual([{ id, head: '{}', bytes: 8 }]);
  });

  it.each(['canceled', 'failed'] as const)('stores no long members of its request once it is %s', async (status) => {
    const accountId = randomUUID();
    const id = await add({ accountId, head: '{"instructions":"be brief"}', endedHead: '{"a":1}', bytes: 500 });
    if (status === 'failed') await end(id, status);
    else await cancelBackground(database.pool, { projectId: accountId, customerId: null }, id);
    expect(await sizes()).toEqual([{ id, head: '{"a":1}', bytes: 7 }]);
    const { rows } = await database.pool.query('SELECT body, ended_head FROM background_responses');
    expect(rows).toEqual([{ body: null, ended_head: null }]);
  });

  it.each([
    ['number', { projectEndedResponses: 2 }],
    ['bytes', { projectEndedBytes: 50 }],
  ])('makes room for later ones of its project, by %s', async (_what, bound) => {
    const accountId = randomUUID();
    const ids: string[] = [];
    // In one transaction, they end at the same time.
    await withTransaction(database.pool, async (tx) => {
      for (let i = 0; i < 3; i++) {
        const customerId = randomUUID();
        const id = await add({ accountId, customerId, head: JSON.stringify('x'.repeat(20)), bytes: 500 }, tx);
        await cancelBackground(tx, { projectId: accountId, customerId }, id);
        ids.push(id);
      }
    });
    const owner = { projectId: accountId, customerId: null };
    await withTransaction(database.pool, (tx) => pruneBackground(tx, owner, { ...max, ...bound }, 100));
    expect(await listIds()).toEqual(new Set(ids.slice(1)));
  });

  it('makes room for later ones of its caller, by number and by bytes', async () => {
    const [accountId, stranger] = [randomUUID(), randomUUID()];
    const owner = { projectId: accountId, customerId: null };
    const cancel = (id: string, customerId: string | null = null) =>
      cancelBackground(database.pool, { ...owner, customerId }, id);
    const prune = () => withTransaction(database.pool, (tx) => pruneBackground(tx, owner, max, 100));
    const kept = await add({ accountId, customerId: stranger, head: JSON.stringify('x'.repeat(500)) });
    await cancel(kept, stranger);
    const ids = [];
    for (const size of [10, 10, 10]) {
      const id = await add({ accountId, head: JSON.stringify('x'.repeat(size)), bytes: 500 });
      await cancel(id);
      ids.push(id);
    }
    const waiting = await add({ accountId });
    await prune();
    expect(await listIds()).toEqual(new Set([kept, ids[1], ids[2], waiting]));
    const large = await add({ accountId, head: JSON.stringify('x'.repeat(95)) });
    await cancel(large);
    await prune();
    expect(await listIds()).toEqual(new Set([kept, waiting, large]));
    expect(await findBackground(database.pool, owner, ids[0]!)).toBeUndefined();
  });
});
