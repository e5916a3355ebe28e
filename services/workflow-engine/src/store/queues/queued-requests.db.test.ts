import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  FIRST_ID,
  type Queryable,
  type TestDatabase,
  type Tx,
  testDatabase,
  withTransaction,
} from '@tollgate/postgres';
import { backgroundQueue } from '../background/background-queue.js';
import { batchLines } from '../batches/batch-lines.js';
import type { ClaimBounds, ClaimedRequest, RequestStore } from './queued-requests.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE background_responses, batches, batch_lines CASCADE'));

const BOUNDS: ClaimBounds = {
  slots: 100,
  accountConcurrency: 100,
  callerConcurrency: 100,
  bytes: 1_000_000,
  accountBytes: 1_000_000,
  callerBytes: 1_000_000,
  smallBytes: 10,
  requestBytes: 1_000,
};
const lease = { owner: randomUUID(), leaseMs: 60_000 };

interface Added {
  accountId: string;
  customerId?: string;
  bytes?: number;
  count?: number;
}

interface Queue<Item> {
  name: string;
  store: RequestStore<Item>;
  /** Queues due requests, the size of whose body is `bytes`, and returns their ids in their order. */
  add(db: Queryable, added: Added): Promise<string[]>;
  /** Identifies a request, as `add` does. */
  toId(item: Item): string;
}

let added = 0;
/** Later ids are higher. */
const nextId = () => `00000000-0000-4000-8000-${String(++added).padStart(12, '0')}`;
const ids = (count: number) => Array.from({ length: count }, nextId);

const responses: Queue<Parameters<typeof backgroundQueue.toKey>[0]> = {
  name: 'background responses',
  store: backgroundQueue,
  toId: ({ id }) => id,
  async add(db, { accountId, customerId = null, bytes = 1, count = 1 }) {
    const all = ids(count);
    await db.query(
      `INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, body, bytes, options, expires_at)
       SELECT id, $2, $2, $3, '', '{}', repeat('b', $4), $4, '{}', now() + interval '1 h' FROM unnest($1::uuid[]) AS id`,
      [all, accountId, customerId, bytes],
    );
    return all;
  },
};

/** Each line in a batch of its own. */
const lines: Queue<Parameters<typeof batchLines.toKey>[0]> = {
  name: 'batch lines',
  store: batchLines,
  toId: ({ batchId }) => batchId,
  async add(db, { accountId, customerId = null, bytes = 1, count = 1 }) {
    const all = ids(count);
    await db.query(
      `WITH added AS (
         INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, endpoint, input_file_id, output_ttl_seconds, status,
                              expires_at)
         SELECT id, $2, $2, $3, '', '/v1/responses', id, 0, 'in_progress', now() + interval '1 h' FROM unnest($1::uuid[]) AS id
         RETURNING batch_id)
       INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body) SELECT batch_id, $2, 1, '1', repeat('b', $4) FROM added`,
      [all, accountId, customerId, bytes],
    );
    return all;
  },
};

function describeQueue<Item>({ name, store, add, toId }: Queue<Item>): void {
  type Claimed = Item & ClaimedRequest;
  const queue = (request: Added) => add(database.pool, request);
  const claimIn = async (tx: Tx, bounds: Partial<ClaimBounds> = {}): Promise<Claimed[]> =>
    (await store.claim(tx, lease, { ...BOUNDS, ...bounds }, FIRST_ID)).items;
  const claim = (bounds: Partial<ClaimBounds> = {}) => withTransaction(database.pool, (tx) => claimIn(tx, bounds));
  const claimIds = async (bounds: Partial<ClaimBounds> = {}) => (await claim(bounds)).map(toId).sort();
  const expire = () =>
    database.pool.query(`UPDATE ${name === lines.name ? 'batch_lines' : 'background_responses'}
                         SET lease_until = now() - interval '1 ms' WHERE lease_until IS NOT NULL`);

  describe(`a claim of ${name}`, () => {
    it('takes a request in the moment in which it is queued', async () => {
      for (let i = 0; i < 20; i++) {
        await withTransaction(database.pool, async (tx) => {
          const queued = await add(tx, { accountId: randomUUID() });
          expect((await claimIn(tx)).map(toId)).toEqual(queued);
        });
      }
    });

    it('bounds what an account has in progress in all processes', async () => {
      await queue({ accountId: randomUUID(), count: 5 });
      expect(await claim({ accountConcurrency: 3 })).toHaveLength(3);
      expect(await claim({ accountConcurrency: 3 })).toEqual([]);
    });

    it('gives no caller all places of its account', async () => {
      const [accountId, busy, other] = [randomUUID(), randomUUID(), randomUUID()];
      const bounds = { accountConcurrency: 4, callerConcurrency: 2 };
      await queue({ accountId, customerId: busy, count: 5 });
      expect(await claim(bounds)).toHaveLength(2);
      expect(await claimIds(bounds)).toEqual([]);
      const first = await queue({ accountId, customerId: other });
      expect(await claimIds(bounds)).toEqual(first);
    });

    it('puts the first request of a caller before the backlog of another caller', async () => {
      const [accountId, busy, other] = [randomUUID(), randomUUID(), randomUUID()];
      const backlog = await queue({ accountId, customerId: busy, count: 5_000 });
      const first = await queue({ accountId, customerId: other });
      expect(await claimIds({ slots: 2 })).toEqual([backlog[0], first[0]]);
    });

    it('puts the first request of an account before the backlog of another account', async () => {
      const backlog = await queue({ accountId: randomUUID(), count: 5_000 });
      const first = await queue({ accountId: randomUUID() });
      expect(await claimIds({ slots: 2 })).toEqual([backlog[0], first[0]]);
    });

    it('leaves room for other accounts when the requests of one are large', async () => {
      const [large, small] = [randomUUID(), randomUUID()];
      const [first] = await queue({ accountId: large, bytes: 60 });
      const [second] = await queue({ accountId: large, bytes: 40 });
      await queue({ accountId: large, bytes: 60 });
      const [other] = await queue({ accountId: small, bytes: 60 });
      expect(await claimIds({ accountBytes: 100 })).toEqual([first, second, other]);
      const later = await queue({ accountId: small, bytes: 40 });
      expect(await claimIds({ accountBytes: 100 })).toEqual(later);
    });

    it('lets the largest request of one caller hold up no other request of its account', async () => {
      const [accountId, busy, other, third] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      const share = { accountBytes: 200, callerBytes: 100, requestBytes: 100 };
      const largest = await queue({ accountId, customerId: busy, bytes: 120 });
      expect(await claimIds(share)).toEqual(largest);
      await queue({ accountId, customerId: busy, bytes: 60 });
      const [large] = await queue({ accountId, customerId: other, bytes: 100 });
      await queue({ accountId, customerId: third, bytes: 60 });
      const [small] = await queue({ accountId, customerId: third, bytes: 10 });
      expect(await claimIds(share)).toEqual([large, small]);
    });

    it('runs a request that is larger than the share of its caller alone', async () => {
      const accountId = randomUUID();
      const [first] = await queue({ accountId, bytes: 60 });
      await queue({ accountId, bytes: 60 });
      expect(await claimIds({ callerBytes: 50 })).toEqual([first]);
      expect(await claim({ callerBytes: 50 })).toEqual([]);
    });

    it('leaves large requests in the queue when those of the process leave no room', async () => {
      await queue({ accountId: randomUUID(), bytes: 60 });
      const small = await queue({ accountId: randomUUID(), bytes: 10 });
      expect(await claimIds({ bytes: 50 })).toEqual(small);
    });

    it('takes expired leases over, as the next attempt when the provider may have served the last one', async () => {
      const [sent, unsent] = await queue({ accountId: randomUUID(), count: 2 });
      const claimed = await claim();
      expect(await store.markDispatched(database.pool, claimed.find((item) => toId(item) === sent)!)).toBe(true);
      expect(await claim()).toEqual([]);
      await expire();
      const again = new Map((await claim()).map((item) => [toId(item), item]));
      expect(again.get(sent!)).toMatchObject({ epoch: 2, attempt: 2, supersededAttempt: 1, lost: 1 });
      expect(again.get(unsent!)).toMatchObject({ epoch: 2, attempt: 1, supersededAttempt: undefined, lost: 0 });
    });
  });

  describe(`a lease of ${name}`, () => {
    it('extends for its holder only', async () => {
      await queue({ accountId: randomUUID(), count: 2 });
      const [kept, lost] = (await claim()) as [Claimed, Claimed];
      const old = { ...lost, epoch: 0 };
      expect(await store.extend(database.pool, lease, [kept, old])).toEqual(new Set([store.toKey(kept)]));
      expect(await store.extend(database.pool, { ...lease, owner: randomUUID() }, [kept])).toEqual(new Set());
    });

    it('lets a process that has lost it read and change nothing', async () => {
      await queue({ accountId: randomUUID(), bytes: 3 });
      const [item] = (await claim()) as [Claimed];
      const old = { ...item, epoch: 0 };
      expect(await store.readBody(database.pool, old)).toBeUndefined();
      expect(await store.markDispatched(database.pool, old)).toBe(false);
      await store.putBack(database.pool, old, { delayMs: 0, next: 'next', counts: 'try' });
      expect(await claim()).toEqual([]);
      expect(await store.readBody(database.pool, item)).toBe('bbb');
    });
  });

  describe(`a request of ${name} that is put back`, () => {
    it('becomes due in the same moment when there is no delay', async () => {
      await queue({ accountId: randomUUID() });
      for (let i = 0; i < 20; i++) {
        await withTransaction(database.pool, async (tx) => {
          const [item] = (await claimIn(tx)) as [Claimed];
          await store.putBack(tx, item, { delayMs: 0, next: 'same', counts: 'nothing' });
        });
      }
    });

    it('waits until its delay is over', async () => {
      await queue({ accountId: randomUUID() });
      const [item] = (await claim()) as [Claimed];
      await store.putBack(database.pool, item, { delayMs: 600_000, next: 'same', counts: 'nothing' });
      expect(await claim()).toEqual([]);
    });

    it('stores its waits, until a try counts, and what its attempt becomes', async () => {
      await queue({ accountId: randomUUID() });
      const seen: Partial<ClaimedRequest>[] = [];
      for (const [next, counts] of [
        ['same', 'wait'],
        ['next', 'wait'],
        ['lost', 'nothing'],
        ['next', 'try'],
      ] as const) {
        const [item] = (await claim()) as [Claimed];
        await store.putBack(database.pool, item, { delayMs: 0, next, counts });
        const [{ attempt, supersededAttempt, lost, tries, waits }] = (await claim()) as [Claimed];
        seen.push({ attempt, supersededAttempt, lost, tries, waits });
        await expire();
      }
      expect(seen).toEqual([
        { attempt: 1, supersededAttempt: undefined, lost: 0, tries: 0, waits: 1 },
        { attempt: 2, supersededAttempt: undefined, lost: 0, tries: 0, waits: 2 },
        { attempt: 3, supersededAttempt: 2, lost: 1, tries: 0, waits: 2 },
        { attempt: 4, supersededAttempt: 2, lost: 1, tries: 1, waits: 0 },
      ]);
    });
  });
}

describeQueue(responses);
describeQueue(lines);
