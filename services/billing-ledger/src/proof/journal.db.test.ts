import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHUNK_ROWS, readMonths, verifyJournal } from '@tollgate/ledger-audit';
import { ageJournal, bookTransfers, sealAll } from '@tollgate/ledger-audit/testing';
import { createPool } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import { journalContext } from '../testing/journal-context.js';
import {
  admit,
  callAs,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  settle,
  startLedgerHarness,
} from '../testing/ledger-harness.js';
import { type Cut, type CutProxy, startCutProxy } from './cut-proxy.js';

// Seals a journal while connections break at any statement, while replicas seal at once, and while requests settle.

let harness: LedgerHarness;
let proxy: CutProxy;
let ctx: ReturnType<typeof journalContext>;
/** Reaches the database through the proxy. */
let cutCtx: ReturnType<typeof journalContext>;

/** Statements by their text, or by the names of their .sql file. */
const WRITES = /^(INSERT INTO journal_months|UPDATE journal_months|add_to_balances$|advance_transfers$)/;

beforeAll(async () => {
  harness = await startLedgerHarness('journal_proof', { env: { JOURNAL_CLOSING_LAG: '1000000h' } });
  const { database } = harness;
  proxy = await startCutProxy(database.url, (statement) => WRITES.test(statement));
  ctx = journalContext(database);
  cutCtx = journalContext(database, {}, createPool({ url: proxy.url, schema: database.schema, max: 2 }));
  await bookTransfers(database.pool, CHUNK_ROWS + 1);
  await ageJournal(database.pool, 1);
  await bookTransfers(database.pool, 10);
  await ageJournal(database.pool, 1);
}, 60_000);
afterAll(async () => {
  await cutCtx.pool.end();
  await harness.stop();
  await proxy.stop();
});

async function unseal(): Promise<void> {
  await harness.database.pool.query('TRUNCATE journal_months, sealed_balances');
}

/** A lost connection keeps its lock on the month until the server notices. */
async function sealRest(months: number): Promise<void> {
  const countSealed = async () => (await readMonths(harness.database.pool)).filter(({ seal }) => seal).length;
  await waitUntil(
    async () => {
      await sealAll(ctx);
      return (await countSealed()) === months;
    },
    { what: 'the months to be sealed' },
  );
}

/** Of all transfers, the current month among them. */
async function countMonths(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    "SELECT count(DISTINCT date_trunc('month', occurred_at AT TIME ZONE 'UTC'))::int AS n FROM transfers",
  );
  return rows[0]?.n ?? 0;
}

describe('sealing', () => {
  let expected: Awaited<ReturnType<typeof readMonths>>;
  beforeAll(async () => {
    await unseal();
    await sealAll(ctx);
    expected = await readMonths(harness.database.pool);
  });
  beforeEach(unseal);

  async function expectSealedOnce(): Promise<void> {
    await sealRest(expected.length);
    expect(await readMonths(harness.database.pool)).toEqual(expected);
    expect(await verifyJournal(ctx)).toEqual([]);
  }

  /** Seals through the proxy until a statement is cut or nothing is left, then without it. */
  async function play(cut: Cut | undefined): Promise<string[]> {
    await unseal();
    proxy.arm(cut);
    await sealAll(cutCtx).catch(() => undefined);
    const { seen, isCut } = proxy;
    proxy.arm();
    expect(isCut).toBe(cut !== undefined);
    await expectSealedOnce();
    return seen;
  }

  it('has one result when the connection breaks at any statement', async () => {
    const statements = await play(undefined);
    expect(statements.length).toBeGreaterThan(10);
    for (let at = 1; at <= statements.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await play({ at, when }).catch((error: Error) => {
          throw new Error(`cut ${when} statement ${at}, ${statements[at - 1]?.slice(0, 80)}: ${error.message}`);
        });
      }
    }
  }, 180_000);

  it('has one result when several replicas seal at once', async () => {
    await Promise.all([ctx, ctx, ctx, ctx].map((replica) => sealAll(replica)));
    await expectSealedOnce();
  });
});

describe('requests', () => {
  it('counts every request once that settles while its month is closed', async () => {
    await unseal();
    const { pool } = harness.database;
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, 10_000_000n);
    let isSealed = false;
    let settled = 0;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isSealed) {
        const { holdId } = await admit(harness.billing, owner);
        await settle(harness.billing, owner, holdId, 10n, 20n);
        settled++;
      }
    });
    // The end of the month falls between the transfers that are booked and those that are in progress.
    await waitUntil(() => settled >= 20, { what: 'requests to settle' });
    const closed = await countMonths();
    await ageJournal(pool, 1);
    await sealRest(closed).finally(() => {
      isSealed = true;
    });
    await Promise.all(clients);
    const ofRequests = (await readMonths(pool)).at(-1)?.transfers ?? 0n;
    const all = await pool.query<{ n: bigint }>('SELECT count(*) AS n FROM transfers');
    expect(ofRequests).toBeGreaterThanOrEqual(20n);
    expect(all.rows[0]?.n).toBeGreaterThan(BigInt(CHUNK_ROWS + 11) + ofRequests);
    expect(await verifyJournal(ctx)).toEqual([]);
    const verdict = await harness.billing.verifyLedger({}, callAs(owner));
    expect(verdict).toMatchObject({ differences: [], openHolds: 0n });
  });
});
