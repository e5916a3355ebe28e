import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, type Tx, testDatabase, withTransaction } from '@tollgate/postgres';
import { FIRST_ID } from '../queues/walk.js';
import { claimBackground } from './background-claim.js';
import { type BackgroundItem, endBackground } from './background-queue.js';
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
async function claim(
  bounds: Partial<Parameters<typeof claimBackground>[2]> = {},
  transaction?: Tx,
): Promise<BackgroundItem[]> {
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
  return inTransaction(transaction, async (tx) => (await claimBackground(tx, lease, all, FIRST_ID)).items);
}

const toIds = (items: BackgroundItem[]) => items.map(({ id }) => id).sort();

describe('a claim', () => {
  it('takes a response in the moment in which it is queued', async () => {
    for (let i = 0; i < 20; i += 1) {
      await withTransaction(database.pool, async (tx) => {
        const id = await add({ accountId: randomUUID() }, tx);
        expect(toIds(await claim({}, tx))).toEqual([id]);
      });
    }
  });

  it('leaves room for other accounts when the requests of one are large', async () => {
    const [large, small] = [randomUUID(), randomUUID()];
    const first = await add({ accountId: large, bytes: 60 });
    const second = await add({ accountId: large, bytes: 40 });
    const third = await add({ accountId: large, bytes: 60 });
    const other = await add({ accountId: small, bytes: 60 });
    expect(toIds(await claim({ accountBytes: 100 }))).toEqual([first, second, other]);
    const later = await add({ accountId: small, bytes: 40 });
    expect(toIds(await claim({ accountBytes: 100 }))).toEqual([later]);
    const ended = { status: 'completed', answer: undefined, error: undefined } as const;
    await endBackground(database.pool, { id: first, epoch: 1 }, ended);
    expect(toIds(await claim({ accountBytes: 100 }))).toEqual([third]);
  });

  it('lets the largest request of one caller hold up no other request of its account', async () => {
    const accountId = randomUUID();
    const [busy, other, third] = [randomUUID(), randomUUID(), randomUUID()];
    const share = { accountBytes: 200, callerBytes: 100, requestBytes: 100 };
    const largest = await add({ accountId, customerId: busy, bytes: 120 });
    expect(toIds(await claim(share))).toEqual([largest]);
    const small = await add({ accountId, customerId: busy, bytes: 10 });
    await add({ accountId, customerId: busy, bytes: 60 });
    const large = await add({ accountId, customerId: other, bytes: 100 });
    const waiting = await add({ accountId, customerId: third, bytes: 60 });
    const others = await add({ accountId, customerId: third, bytes: 10 });
    expect(toIds(await claim(share))).toEqual([small, large, others]);
    const ended = { status: 'completed', answer: undefined, error: undefined } as const;
    await endBackground(database.pool, { id: large, epoch: 1 }, ended);
    expect(toIds(await claim(share))).toEqual([waiting]);
  });

  it('runs a request that is larger than the share of its caller alone', async () => {
    const accountId = randomUUID();
    const share = { callerBytes: 50 };
    const first = await add({ accountId, bytes: 60 });
    const second = await add({ accountId, bytes: 60 });
    expect(toIds(await claim(share))).toEqual([first]);
    expect(await claim(share)).toEqual([]);
    await endBackground(database.pool, { id: first, epoch: 1 }, { status: 'failed', answer: undefined, error: '{}' });
    expect(toIds(await claim(share))).toEqual([second]);
  });

  it('lets small requests pass when the large requests of a process leave no room', async () => {
    await add({ accountId: randomUUID(), bytes: 60 });
    const small = await add({ accountId: randomUUID(), bytes: 10 });
    expect(toIds(await claim({ bytes: 0 }))).toEqual([small]);
  });

  it('gives no caller all places of its account', async () => {
    const [accountId, busy, other] = [randomUUID(), randomUUID(), randomUUID()];
    const bounds = { accountConcurrency: 4, callerConcurrency: 2 };
    for (let i = 0; i < 5; i++) await add({ accountId, customerId: busy });
    expect(await claim(bounds)).toHaveLength(2);
    const id = await add({ accountId, customerId: other });
    expect(toIds(await claim(bounds))).toEqual([id]);
  });

  it('bounds what an account has in progress in all processes', async () => {
    const accountId = randomUUID();
    for (let i = 0; i < 5; i++) await add({ accountId });
    expect(await claim({ accountConcurrency: 3 })).toHaveLength(3);
    expect(await claim({ accountConcurrency: 3 })).toEqual([]);
  });

  it('reaches an account behind a long queue of another one', async () => {
    const [busy, late] = [randomUUID(), randomUUID()];
    await database.pool.query(
      `INSERT INTO background_responses (id, account_id, project_id, principal, head, body, bytes, options, expires_at, due_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), '', '{}', '{}', 1, '{}', now() + interval '1 h', now() - interval '1 s'
       FROM generate_series(1, 12000)`,
      [busy],
    );
    const id = await add({ accountId: late });
    const claimed = await claim({ slots: 2 });
    expect(claimed).toHaveLength(2);
    expect(toIds(claimed)).toContain(id);
  });

  it('gives the callers of an account turns', async () => {
    const [accountId, busy, other] = [randomUUID(), randomUUID(), randomUUID()];
    const first = await add({ accountId, customerId: busy });
    await add({ accountId, customerId: busy });
    const others = await add({ accountId, customerId: other });
    expect(toIds(await claim({ slots: 2 }))).toEqual([first, others]);
  });
});

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
