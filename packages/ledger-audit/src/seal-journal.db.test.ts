import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { CHUNK_ROWS } from './journal-seal.js';
import { type SealContext, sealJournal } from './seal-journal.js';
import { brokenSeals } from './sealed-month.js';
import { readMonths } from './store/months.js';
import { ledgerDifferences } from './store/verification.js';
import { ageJournal, bookTransfers, LEDGER_MIGRATIONS, sealAll, tamper } from './testing/index.js';
import { verifyJournal } from './verify-journal.js';

let database: TestDatabase;
let ctx: SealContext;

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations: LEDGER_MIGRATIONS });
  ctx = { pool: database.pool, logger: silentLogger, closingLagMs: 1 };
});
afterEach(() => database.drop());

/** Returns the differences that the owner is shown. */
async function findDifferences(owner: string) {
  return [...(await ledgerDifferences(database.pool, owner)), ...brokenSeals(await months())];
}

async function months() {
  return readMonths(database.pool);
}

describe('sealing', () => {
  it('does nothing while no month with transfers has ended', async () => {
    await bookTransfers(database.pool, 5);
    expect(await sealAll(ctx)).toBe(1);
    expect(await months()).toEqual([]);
  });

  it('closes every month that ended, in chunks, and leaves the present one open', async () => {
    const { owner } = await bookTransfers(database.pool, CHUNK_ROWS + 1);
    await ageJournal(database.pool, 2);
    await bookTransfers(database.pool, 3);
    await sealAll(ctx);
    const sealed = await months();
    expect(sealed.map(({ state, transfers, balances }) => [state, transfers, balances])).toEqual([
      ['sealed', BigInt(CHUNK_ROWS + 1), 4n],
      ['sealed', 0n, 0n],
    ]);
    expect(sealed[1]?.previous_seal).toBe(sealed[0]?.seal);
    expect(await findDifferences(owner)).toEqual([]);
    expect(await verifyJournal(ctx)).toEqual([]);
  });

  it('continues the totals of an account over several months', async () => {
    const { owner } = await bookTransfers(database.pool, 6);
    await ageJournal(database.pool, 1);
    await database.pool.query(
      `INSERT INTO transfers (debit_account, credit_account, amount, kind, cause)
       SELECT id, 6, 10, 'provider_cost', gen_random_uuid() FROM accounts WHERE owner_account_id = $1`,
      [owner],
    );
    await database.pool.query('UPDATE accounts SET debits = debits + 10 WHERE owner_account_id = $1', [owner]);
    await ageJournal(database.pool, 2);
    await sealAll(ctx);
    const { rows } = await database.pool.query(
      `SELECT sum(debits)::int AS debits, sum(total_debits)::int AS total FROM sealed_balances WHERE account_id > 1000
       GROUP BY month HAVING count(*) > 0 ORDER BY month`,
    );
    expect(rows).toEqual([
      { debits: 21, total: 21 },
      { debits: 30, total: 51 },
    ]);
    expect(await findDifferences(owner)).toEqual([]);
  });

  it('waits for a transaction that drew an id before the month was closed, and includes its transfer', async () => {
    const late = await database.pool.connect();
    await late.query('BEGIN');
    await bookTransfers(late, 1);
    await bookTransfers(database.pool, 2);
    await ageJournal(database.pool, 1);
    expect(await sealJournal(ctx)).toBe(true);
    expect(await sealJournal(ctx)).toBe(false);
    expect(await months()).toMatchObject([{ state: 'closing' }]);
    await late.query('COMMIT');
    late.release();
    await sealAll(ctx);
    expect(await months()).toMatchObject([{ state: 'sealed', transfers: 3n }]);
    expect(await verifyJournal(ctx)).toEqual([]);
  });

  it('leaves a transfer that is booked after the closing in the open month, whatever its time', async () => {
    await bookTransfers(database.pool, 2);
    await ageJournal(database.pool, 1);
    await sealJournal(ctx);
    const { owner } = await bookTransfers(database.pool, 4);
    await ageJournal(database.pool, 1);
    await sealAll(ctx);
    expect((await months())[0]).toMatchObject({ state: 'sealed', transfers: 2n });
    expect(await findDifferences(owner)).toEqual([]);
  });

  it('keeps a month open for the closing lag', async () => {
    await bookTransfers(database.pool, 2);
    await ageJournal(database.pool, 1);
    expect(await sealJournal({ ...ctx, closingLagMs: 3_600_000_000 })).toBe(false);
    expect(await months()).toEqual([]);
  });
});

describe('verification', () => {
  let owner: string;
  beforeEach(async () => {
    ({ owner } = await bookTransfers(database.pool, 30));
    await ageJournal(database.pool, 1);
    await sealAll(ctx);
  });

  it('reads only the open transfers, and all of them in full', async () => {
    await tamper(database.pool, 'DELETE FROM transfers');
    expect(await findDifferences(owner)).toEqual([]);
    const found = await verifyJournal(ctx);
    expect(found.map(({ field }) => field).sort()).toEqual(['debits', 'debits', 'debits', 'transfers']);
  });

  it('finds a sealed balance that was changed', async () => {
    await database.pool.query('UPDATE sealed_balances SET total_debits = total_debits - 1 WHERE account_id > 1000');
    expect(await findDifferences(owner)).toHaveLength(3);
    expect(await verifyJournal(ctx)).toMatchObject([{ field: 'balances' }]);
  });

  it('finds a balance that was changed together with its account', async () => {
    await database.pool.query('UPDATE sealed_balances SET total_debits = total_debits - 1 WHERE account_id > 1000');
    await database.pool.query('UPDATE accounts SET debits = debits - 1 WHERE id > 1000');
    expect((await verifyJournal(ctx)).map(({ field }) => field)).toContain('balances');
  });

  it('finds a sealed transfer that was changed', async () => {
    await tamper(database.pool, `UPDATE transfers SET cause_ref = 'other' WHERE id = (SELECT max(id) FROM transfers)`);
    expect(await verifyJournal(ctx)).toMatchObject([{ field: 'transfers' }]);
  });

  it.each(['last_id = last_id + 1', 'transfers = transfers + 1', "balances_hash = 'x'"])(
    'finds a sealed month with %s',
    async (change) => {
      await database.pool.query(`UPDATE journal_months SET ${change}`);
      expect(await findDifferences(owner)).toMatchObject([{ field: 'seal', stored: 1n, recomputed: 0n }]);
    },
  );

  it('finds a month that was removed from the chain', async () => {
    await bookTransfers(database.pool, 1);
    await tamper(database.pool, `UPDATE journal_months SET month = month - interval '1 month'`);
    await tamper(
      database.pool,
      `UPDATE transfers SET occurred_at = now() - interval '1 month' WHERE id = (SELECT max(id) FROM transfers)`,
    );
    await sealAll(ctx);
    await database.pool.query('DELETE FROM journal_months WHERE month = (SELECT min(month) FROM journal_months)');
    expect((await findDifferences(owner)).map(({ field }) => field)).toContain('seal');
  });
});
