// Tests that a claim reads a bounded number of pages and rows, however much waits.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createPool,
  FIRST_ID,
  type Pool,
  QUEUE_SESSION_SETTINGS,
  type TestDatabase,
  type Tx,
  testDatabase,
  withTransaction,
} from '@tollgate/postgres';
import { backgroundLimits } from '../../domain/background/background-request.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { backgroundQueue } from '../background/background-queue.js';
import { batchLines } from '../batches/batch-lines.js';

const lease = { owner: randomUUID(), leaseMs: 60_000 };
const SLOTS = 16;
/** Pages, and entries of indexes and tables. */
const READ_MAX = 6_000;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  pool = createPool({ url: database.url, schema: database.schema, max: 1, settings: QUEUE_SESSION_SETTINGS });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE background_responses, batches, batch_lines CASCADE');
});

interface Backlog {
  rows: number;
  accounts: number;
  /** Of each account. */
  callers: number;
  dueAt?: string;
  /** Distinguishes the callers of two backlogs. */
  tag?: string;
}

const DUE = "now() - interval '1 s'";

/** Returns SQL for account, project and customer of row `n`. */
function toOwner({ accounts, callers, tag = '' }: Backlog): string {
  const account = `md5('account' || n % ${accounts})::uuid`;
  return `${account}, ${account}, md5('caller${tag}' || n % ${accounts * callers})::uuid`;
}

async function addResponses(backlog: Backlog): Promise<void> {
  await database.pool.query(
    `INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, body, bytes, options, expires_at, due_at)
     SELECT gen_random_uuid(), ${toOwner(backlog)}, '', '{}', '{}', 1, '{}', now() + interval '1 h', ${backlog.dueAt ?? DUE}
     FROM generate_series(1, $1::int) AS n`,
    [backlog.rows],
  );
  await database.pool.query('VACUUM (ANALYZE) background_responses');
}

/** Ten lines in each batch. */
async function addLines(backlog: Backlog): Promise<void> {
  await database.pool.query(
    `WITH added AS (
     INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, endpoint, input_file_id, output_ttl_seconds, status,
                          expires_at)
     SELECT gen_random_uuid(), ${toOwner(backlog)}, '', '/v1/responses', gen_random_uuid(), 0, 'in_progress', now() + interval '1 h'
     FROM generate_series(1, $1::int / 10) AS n RETURNING batch_id, account_id)
     INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body, due_at)
     SELECT batch_id, account_id, line, line::text, '{}', ${backlog.dueAt ?? DUE} FROM added, generate_series(1, 10) AS line`,
    [backlog.rows],
  );
  await database.pool.query('VACUUM (ANALYZE) batches');
  await database.pool.query('VACUUM (ANALYZE) batch_lines');
}

/** Returns the pages and the entries that `work` reads, the larger number, in a transaction that is not kept. */
async function countRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const read = async (tx: Tx) => {
    const text = `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::int AS pages,
                         coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int AS entries
                  FROM pg_class WHERE relnamespace = $1::regnamespace AND relname ~ '^(background|batch)'`;
    return (await tx.query<{ pages: number; entries: number }>(text, [database.schema])).rows[0]!;
  };
  let count = 0;
  const undone = new Error('not kept');
  const counting = withTransaction(pool, async (tx) => {
    const before = await read(tx);
    await work(tx);
    const after = await read(tx);
    count = Math.max(after.pages - before.pages, after.entries - before.entries);
    throw undone;
  });
  await expect(counting).rejects.toBe(undone);
  return count;
}

interface Claim {
  claimed: number;
  next: string;
  hasSkipped: boolean;
}

interface Queue {
  name: string;
  accountConcurrency: number;
  add(backlog: Backlog): Promise<void>;
  claim(tx: Tx, after: string): Promise<Claim>;
}

const BOUNDS = { slots: SLOTS, bytes: 1_000_000 };
const queues: Queue[] = [
  {
    name: 'background responses',
    accountConcurrency: backgroundLimits.accountConcurrency,
    add: addResponses,
    async claim(tx, after) {
      const { items, next, hasSkipped } = await backgroundQueue.claim(
        tx,
        lease,
        { ...backgroundLimits, ...BOUNDS },
        after,
      );
      return { claimed: items.length, next, hasSkipped };
    },
  },
  {
    name: 'batch lines',
    accountConcurrency: batchLimits.accountConcurrency,
    add: addLines,
    async claim(tx, after) {
      const { items, next, hasSkipped } = await batchLines.claim(tx, lease, { ...batchLimits, ...BOUNDS }, after);
      return { claimed: items.length, next, hasSkipped };
    },
  },
];

describe.each(queues)('a claim of $name', ({ add, claim, accountConcurrency }) => {
  it.each([
    ['of one caller', { accounts: 1, callers: 1 }],
    ['of many accounts', { accounts: 1_000, callers: 1 }],
    ['of many callers of one account', { accounts: 1, callers: 500 }],
    ['of many callers of many accounts', { accounts: 100, callers: 10 }],
  ])('reads a bounded part of a long backlog %s', async (_whose, spread) => {
    await add({ rows: 20_000, ...spread });
    let claimed = 0;
    const count = await countRead(async (tx) => {
      ({ claimed } = await claim(tx, FIRST_ID));
    });
    expect(claimed).toBeGreaterThanOrEqual(8);
    expect(count).toBeLessThan(READ_MAX);
  });

  it('reads a bounded part of a long backlog of which nothing is due', async () => {
    await add({ rows: 20_000, accounts: 100, callers: 10, dueAt: "now() + interval '1 h'" });
    expect(await countRead((tx) => claim(tx, FIRST_ID))).toBeLessThan(READ_MAX);
  });

  it('serves the first request of a caller within one round over long backlogs', async () => {
    const backlog = { accounts: 100, callers: 10 };
    await add({ rows: 20_000, ...backlog, dueAt: "now() + interval '1 h'" });
    await add({ rows: 10, accounts: 1, callers: 1, tag: 'new' });
    let claimed = 0;
    let after = FIRST_ID;
    do {
      const visit = await withTransaction(pool, (tx) => claim(tx, after));
      claimed += visit.claimed;
      after = visit.next;
    } while (after !== FIRST_ID);
    expect(claimed).toBeGreaterThanOrEqual(8);
  });

  it('leaves an account to the process that claims its work, and never exceeds its bounds', async () => {
    await add({ rows: 1_000, accounts: 1, callers: 10 });
    const other = createPool({ url: database.url, schema: database.schema, max: 1, settings: QUEUE_SESSION_SETTINGS });
    await withTransaction(other, async (tx) => {
      expect(await claim(tx, FIRST_ID)).toMatchObject({ claimed: SLOTS, hasSkipped: false });
      const skipping = await withTransaction(pool, (own) => claim(own, FIRST_ID));
      expect(skipping).toMatchObject({ claimed: 0, hasSkipped: true });
    });
    let claimed = SLOTS;
    for (let i = 0; i < 4; i++) claimed += (await withTransaction(pool, (tx) => claim(tx, FIRST_ID))).claimed;
    expect(claimed).toBe(accountConcurrency);
    await other.end();
  });
});
