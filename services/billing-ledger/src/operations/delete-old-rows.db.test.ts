import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ageJournal, bookTransfers, sealAll } from '@tollgate/ledger-audit/testing';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import type { CommandCall, Parts } from '@tollgate/service';
import { commands } from '../cli/commands.js';
import type { Config } from '../config.js';
import { journalContext } from '../testing/journal-context.js';
import { deleteOldRows } from './delete-old-rows.js';

const migrations = new URL('../../prisma/migrations', import.meta.url);
let database: TestDatabase;
let ctx: ReturnType<typeof journalContext>;

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations });
  ctx = journalContext(database, { HOLD_RETENTION_DAYS: '60', BILLING_RECORD_RETENTION_DAYS: '60' });
});
afterEach(() => database.drop());

/** Inserts a hold that settled `days` ago; without days it is open. */
async function insertHold(days?: number, state = 1): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO holds (request_id, state, account_ids, amounts, expires_at, created_at, settled_at, owner_account_id, terms, model_id)
     VALUES ($1, $2, '{}', '{}', now() - interval '1 year', now() - interval '1 year', now() - $3::int * interval '1 day', $1, '{}', 'm')`,
    [id, days === undefined ? 0 : state, days],
  );
  return id;
}

async function remaining(table: string, column: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(`SELECT ${column} AS id FROM ${table} ORDER BY 1`);
  return rows.map(({ id }) => id);
}

async function deleteAll(): Promise<void> {
  while (await deleteOldRows(ctx));
}

describe('prune', () => {
  it('deletes what is past its retention now, and reports the rows of each kind', async () => {
    await bookTransfers(database.pool, 1);
    await ageJournal(database.pool, 5);
    await sealAll(ctx);
    await insertHold(200);
    await insertHold(300);
    const young = await insertHold(2);
    const printed: unknown[] = [];
    const call = {
      print: async (report: unknown) => void printed.push(report),
      progress: () => undefined,
      signal: new AbortController().signal,
    } as Partial<CommandCall> as CommandCall;
    const parts = { config: ctx.config, openPool: () => database.pool } as Partial<Parts<Config>> as Parts<Config>;
    await commands.prune!.run(parts, call);
    expect(printed).toEqual([
      { pruned: 'holds', rows: 2 },
      { pruned: 'parts of holds', rows: 0 },
      { pruned: 'usage thresholds', rows: 0 },
      { pruned: 'unpaid purchases', rows: 0 },
      { pruned: 'published events', rows: 0 },
    ]);
    expect(await remaining('holds', 'request_id')).toEqual([young]);
  });
});

describe('holds', () => {
  it('deletes ended holds past their retention and keeps open and younger ones', async () => {
    await bookTransfers(database.pool, 1);
    await ageJournal(database.pool, 5);
    await sealAll(ctx);
    await insertHold(61);
    await insertHold(200, 2);
    await insertHold(200, 3);
    // The month that is sealed last may contain the youngest.
    const kept = [await insertHold(), await insertHold(59)].sort();
    await deleteAll();
    expect(await remaining('holds', 'request_id')).toEqual(kept);
  });

  it('keeps ended holds of any age until the month of their transfers is sealed', async () => {
    const kept = [await insertHold(61), await insertHold(400)].sort();
    await deleteAll();
    expect(await remaining('holds', 'request_id')).toEqual(kept);
  });

  it('keeps a hold that another transaction has locked, and deletes it later', async () => {
    await bookTransfers(database.pool, 1);
    await ageJournal(database.pool, 5);
    await sealAll(ctx);
    const id = await insertHold(90);
    const reporter = await database.pool.connect();
    await reporter.query('BEGIN');
    await reporter.query('SELECT 1 FROM holds WHERE request_id = $1 FOR UPDATE', [id]);
    await deleteAll();
    await reporter.query('COMMIT');
    reporter.release();
    expect(await remaining('holds', 'request_id')).toEqual([id]);
    await deleteAll();
    expect(await remaining('holds', 'request_id')).toEqual([]);
  });

  it('deletes the parts of holds at the same age', async () => {
    const insert = `INSERT INTO hold_parts (request_id, part_id, created_at) VALUES ($1, $1, now() - $2::int * interval '1 day')`;
    const young = randomUUID();
    await database.pool.query(insert, [randomUUID(), 61]);
    await database.pool.query(insert, [young, 59]);
    await deleteAll();
    expect(await remaining('hold_parts', 'part_id')).toEqual([young]);
  });
});

describe('usage thresholds', () => {
  async function insertThreshold(windowEndDays: number, announcedDays: number | null): Promise<bigint> {
    const { rows } = await database.pool.query<{ account_id: bigint }>(
      `WITH a AS (INSERT INTO accounts (kind, ref_id, owner_account_id, window_end)
         VALUES ('allowance', gen_random_uuid(), gen_random_uuid(), now() - $1::int * interval '1 day') RETURNING id)
       INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents, announced_at)
       SELECT id, 50, 1, 2, now() - $2::int * interval '1 day' FROM a RETURNING account_id`,
      [windowEndDays, announcedDays],
    );
    return rows[0]?.account_id as bigint;
  }

  it('deletes announced thresholds of windows that ended, and no others', async () => {
    await insertThreshold(61, 61);
    const kept = [await insertThreshold(-1, 61), await insertThreshold(59, 61), await insertThreshold(61, null)];
    await deleteAll();
    expect(await remaining('usage_thresholds', 'account_id')).toEqual(kept);
  });
});

describe('payment orders', () => {
  async function insertOrder(values: {
    kind?: string;
    status?: string;
    days?: number;
    paid?: boolean;
    reported?: boolean;
  }): Promise<string> {
    const { kind = 'subscription', status = 'expired', days = 61, paid = false, reported = false } = values;
    const id = randomUUID();
    await database.pool.query(
      `INSERT INTO payment_orders (id, kind, status, account_id, ended_at, check_at, payment_intent_id, processor_ref)
       VALUES ($1, $2, $3, $1, now() - $4::int * interval '1 day', now(), $5, $6)`,
      [id, kind, status, days, paid ? `pi_${id}` : null, reported ? `re_${id}` : null],
    );
    return id;
  }

  it('deletes purchases that were never paid and keeps payments, reports, open orders and listed top-ups', async () => {
    await insertOrder({});
    await insertOrder({ kind: 'wallet_topup', status: 'failed' });
    const kept = await Promise.all([
      insertOrder({ days: 59 }),
      insertOrder({ paid: true }),
      insertOrder({ status: 'open' }),
      insertOrder({ status: 'completed' }),
      insertOrder({ kind: 'account_topup' }),
      insertOrder({ kind: 'auto_topup', status: 'failed' }),
      insertOrder({ kind: 'refund', status: 'failed', reported: true }),
      insertOrder({ kind: 'renewal', status: 'failed', reported: true }),
    ]);
    await deleteAll();
    expect(await remaining('payment_orders', 'id')).toEqual(kept.sort());
  });
});
