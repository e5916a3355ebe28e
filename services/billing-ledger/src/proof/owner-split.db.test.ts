import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createPool, emptyDatabase } from '@tollgate/postgres';
import { LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { controllableClock, waitUntil } from '@tollgate/testkit';
import type pg from 'pg';
import { configFromEnv } from '../config.js';
import { startBilling } from '../server.js';
import { readOpenHoldTotals } from '../store/holds/open-holds.js';
import { readAccountLimitOverrides } from '../store/subjects/subjects.js';
import { callAs } from '../testing/ledger-harness.js';
import { type PaidWallet, requestRefund, SharedProcessor, withdrawTwice } from '../testing/paid-wallets.js';
import type { Action, Answer, Ask, PayerId } from './actions.js';
import { listHotFunctions, type Recording, readTables, recordHotStatements } from './hot-statements.js';
import { LedgerDriver } from './ledger-driver.js';
import { readBooks } from './read-books.js';
import { countRowsByOwner, findTablesWithoutOwner, hasOwner, keepOwner, lockOwnerRows } from './split-by-owner.js';

// One database has two owners. It is split into two databases with one owner each, and the same commands run on all three: no
// statement needs two owners, so that owner accounts can be divided among servers.

const SCHEMA = 'billing_ledger';
const nowMs = Date.UTC(2027, 4, 12, 9);
const clock = controllableClock(new Date(nowMs));

type Payers = Record<'paygo' | 'subscribed' | 'poor' | 'key', PayerId>;

/** A ledger on a database of its own. */
interface Ledger {
  url: string;
  pool: pg.Pool;
  network: LocalNetwork;
  /** Ends the service and the pool; keeps the database. */
  close(): Promise<void>;
}

interface Owner {
  /** Reported tokens are multiplied by it, so that the figures of the owners differ. */
  factor: bigint;
  /** Returns the id of the hold with this name. */
  hold(name: string): string;
  payers: Payers;
  paid: PaidWallet;
  /** On the database with both owners, and on the owner's. */
  onWhole: LedgerDriver;
  onHalf: LedgerDriver;
  half: Ledger;
}

const databases: Awaited<ReturnType<typeof emptyDatabase>>[] = [];
const ledgers: Ledger[] = [];
let recording: Recording;
let processor: SharedProcessor;
let whole: Ledger;
let owners: Owner[];

beforeAll(async () => {
  recording = recordHotStatements();
  processor = await SharedProcessor.start(clock);
  const database = await emptyDatabase('owner_split_whole');
  databases.push(database);
  const first = await openLedger(database.url);
  const drivers = [new LedgerDriver(first.pool), new LedgerDriver(first.pool)];
  const opened: Pick<Owner, 'payers' | 'paid'>[] = [];
  for (const driver of drivers) opened.push(await openAccounts(driver, first));
  await settleWorkers(first);
  await first.pool.query('DELETE FROM tollgate_events.log');
  expect(await findTablesWithoutOwner(first.pool, SCHEMA)).toEqual([]);
  await first.close();
  const halves = await Promise.all(drivers.map((driver) => splitOff(database.url, driver)));
  whole = await openLedger(database.url);
  owners = drivers.map((driver, i) => {
    const half = halves[i] as Ledger;
    const { payers, paid } = opened[i] as Pick<Owner, 'payers' | 'paid'>;
    return {
      factor: BigInt(i + 1),
      hold: nameHolds(),
      payers,
      paid,
      onWhole: driver.on(whole.pool),
      onHalf: driver.on(half.pool),
      half,
    };
  });
  await playEverything();
});
afterAll(async () => {
  recording.stop();
  for (const ledger of ledgers) await ledger.close();
  for (const database of databases) await database.drop();
  await processor?.stop();
});

async function openLedger(url: string): Promise<Ledger> {
  const network = new LocalNetwork();
  const env = { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '10ms', SANDBOX_PROVIDER: '1', ...processor.env };
  const config = configFromEnv({ DATABASE_URL: url, DATABASE_SCHEMA: SCHEMA, ...env });
  const running: RunningService = await startBilling(config, { network, logger: silentLogger, clock });
  const pool = createPool({ url, schema: SCHEMA, max: 3 });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await running.stop();
    await pool.end();
  };
  const ledger = { url, pool, network, close };
  ledgers.push(ledger);
  return ledger;
}

/** Copies a database, deletes the rows of the other owners, and starts a ledger on it. */
async function splitOff(url: string, { owner }: LedgerDriver): Promise<Ledger> {
  const half = await emptyDatabase('owner_split_half', { template: new URL(url).pathname.slice(1) });
  databases.push(half);
  const pool = createPool({ url: half.url, schema: SCHEMA, max: 1 });
  await keepOwner(pool, owner.accountId);
  // The log's identity is copied, too, and the relays would take each for the other.
  await pool.query('DROP SCHEMA tollgate_events CASCADE');
  await pool.end();
  return openLedger(half.url);
}

/** Opens tiers, customers and balances. The owner has not paid, so that the cap on granted credit applies. */
async function openAccounts(driver: LedgerDriver, { network }: Ledger): Promise<Pick<Owner, 'payers' | 'paid'>> {
  const act = (action: Action) => driver.perform(action, network);
  const openCustomer = async (tierCode: string, amount?: bigint, reason = 'top_up'): Promise<PayerId> => {
    const customerId = await driver.newCustomer(network);
    await act({ kind: 'customer', customerId, tierCode });
    if (amount) await act({ kind: 'grant', customerId, amount, reason, cause: randomUUID() });
    return { customerId, keyId: undefined, keyLimit: undefined, byob: false };
  };
  await act({ kind: 'tier', code: 'subscribed', mode: 'subscription', limitCents: 2n, hasOverage: false });
  await act({ kind: 'tier', code: 'paygo', mode: 'paygo', limitCents: undefined, hasOverage: false });
  await act({ kind: 'grant', customerId: undefined, amount: 10n ** 10n, reason: 'promo', cause: randomUUID() });
  await act({ kind: 'account_limit', limit: 'quota', amount: 1_000n });
  await act({ kind: 'account_limit', limit: 'quota', amount: undefined });
  await act({ kind: 'account_limit', limit: 'daily_cap', amount: 10n });
  const payers: Payers = {
    paygo: await openCustomer('paygo', 10n ** 9n),
    poor: await openCustomer('paygo', 500_000n),
    subscribed: await openCustomer('subscribed'),
    key: { customerId: undefined, keyId: randomUUID(), keyLimit: 10n ** 9n, byob: false },
  };
  const { customerId } = await openCustomer('paygo', 10n ** 9n, 'promo');
  return { payers, paid: await processor.pay(driver.owner, customerId ?? '', network) };
}

function nameHolds(): Owner['hold'] {
  const ids = new Map<string, string>();
  return (name) => {
    const id = ids.get(name) ?? randomUUID();
    ids.set(name, id);
    return id;
  };
}

type Payer = keyof Owner['payers'];
type Link = { supersedes?: string; partOf?: string; maxOutput?: number | undefined };

/** Commands of an owner by the names of payers and holds. */
function commands({ factor, hold, payers }: Owner) {
  return {
    admit: (payer: Payer, name: string, { supersedes, partOf, maxOutput }: Link = { maxOutput: 500 }): Action => {
      const ask: Ask = { holdId: hold(name), model: 'text', input: 100n, maxOutput, images: 0, isLoose: false };
      return {
        kind: 'admit',
        payer: payers[payer],
        asks: [ask],
        supersedes: supersedes === undefined ? undefined : hold(supersedes),
        ...(partOf !== undefined && { partOf: hold(partOf) }),
      };
    },
    extend: (name: string): Action => ({
      kind: 'extend',
      holdId: hold(name),
      extension: 1,
      input: 50n,
      maxOutput: 100,
    }),
    progress: (name: string): Action => ({
      kind: 'progress',
      holdId: hold(name),
      used: { input: 40n * factor, output: 60n * factor, images: 0n },
    }),
    settle: (name: string, output = 200n): Action => {
      const used = { input: 50n * factor, output, images: 0n };
      return { kind: 'settle', holdId: hold(name), used, isInDoubt: false };
    },
    expire: (name: string): Action => ({ kind: 'expire', holdId: hold(name) }),
    limitTier: (limitCents: bigint): Action => ({ kind: 'tier_limit', code: 'subscribed', limitCents }),
  };
}

/** Performs commands of both owners at once on the whole database and of each on its own, and compares the answers. */
async function play(toActions: (act: ReturnType<typeof commands>) => Action[]): Promise<void> {
  const performAll = (driver: LedgerDriver, owner: Owner, at: LocalNetwork): Promise<Answer[][]> =>
    Promise.all(toActions(commands(owner)).map((action) => driver.perform(action, at)));
  const onWhole = await Promise.all(owners.map((owner) => performAll(owner.onWhole, owner, whole.network)));
  const onHalves = await Promise.all(owners.map((owner) => performAll(owner.onHalf, owner, owner.half.network)));
  expect(onHalves).toEqual(onWhole);
}

const FOUR = [0, 1, 2, 3];

async function playEverything(): Promise<void> {
  await play((act) => [act.admit('paygo', 'extended'), act.admit('subscribed', 'reported'), act.admit('key', 'keyed')]);
  await play((act) => [act.extend('extended'), act.progress('reported')]);
  await play((act) => [act.settle('extended', 300n), act.settle('keyed')]);
  await play((act) => [act.settle('extended', 300n)]);
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const settles = round === 1 ? [] : FOUR;
    await play((act) => [
      ...settles.map((i) => act.settle(`${round - 1}/${i}`)),
      ...FOUR.map((i) => act.admit('paygo', `${round}/${i}`)),
    ]);
  }
  await playThresholds();
  await playExpiry();
  await playSupersession();
  await playScarcity();
  await playRefunds();
}

async function playThresholds(): Promise<void> {
  await play((act) => FOUR.map((i) => act.admit('subscribed', `allowance/${i}`)));
  // One by one: an event has the amount used when its threshold was reached.
  for (const i of FOUR) await play((act) => [act.settle(`allowance/${i}`, 500n)]);
  await play((act) => [act.limitTier(1n)]);
  await play((act) => [act.admit('subscribed', 'exhausted')]);
}

async function playExpiry(): Promise<void> {
  await play((act) => ['late', 'lost'].map((name) => act.admit('paygo', name)));
  await play((act) => [act.progress('late')]);
  await play((act) => ['late', 'lost', 'reported'].map(act.expire));
  await play((act) => [act.settle('late')]);
  await play((act) => [act.progress('late')]);
}

async function playSupersession(): Promise<void> {
  await play((act) => ['charged', 'expired', 'open', 'turn'].map((name) => act.admit('paygo', name)));
  await play((act) => [
    act.settle('charged'),
    act.expire('expired'),
    act.admit('paygo', 'image', { partOf: 'turn', maxOutput: 500 }),
  ]);
  for (const supersedes of ['charged', 'expired', 'open', 'never seen', 'turn'])
    await play((act) => [act.admit('paygo', `after ${supersedes}`, { supersedes, maxOutput: 500 })]);
  await play((act) => [act.admit('paygo', 'late part', { partOf: 'turn', maxOutput: 500 })]);
  await play((act) => [act.settle('after charged'), act.settle('after open', 0n)]);
}

async function playScarcity(): Promise<void> {
  // Without a named maximum, the output is cut to the funds.
  await play((act) => [act.admit('poor', 'clamped', {})]);
  await play((act) => [act.admit('poor', 'refused')]);
  for (const name of ['first', 'second', 'third', 'fourth'])
    await play((act) => [act.admit('key', name, { maxOutput: 16_384 })]);
}

/** Reserves money for refunds and gives some of it back; nothing is refunded, because all ledgers share the processor. */
async function playRefunds(): Promise<void> {
  const onAll = async (ask: (owner: Owner, at: LocalNetwork) => Promise<unknown>): Promise<unknown[]> => {
    const onWhole = await Promise.all(owners.map((owner) => ask(owner, whole.network)));
    expect(await Promise.all(owners.map((owner) => ask(owner, owner.half.network)))).toEqual(onWhole);
    return onWhole;
  };
  processor.loseRefunds(2 * owners.length);
  expect(await onAll(({ paid }, at) => requestRefund(paid, 600n, at))).toEqual(['pending', 'pending']);
  for (const { paid } of owners) processor.refuseRefunds(paid);
  expect(await onAll(({ paid }, at) => requestRefund(paid, 300n, at))).toEqual(['CONFLICT', 'CONFLICT']);
  await onAll(({ paid, hold }, at) => withdrawTwice(paid, hold('withdrawn'), at));
}

/** Returns the events that left a database, in the order of their text: different keys have no order. */
async function readEvents({ pool }: Ledger): Promise<string[]> {
  const { rows } = await pool.query<{ event: string }>(
    `SELECT concat_ws(' ', topic, key, type, request_id, encode(payload, 'hex')) AS event FROM tollgate_events.log`,
  );
  return rows.map(({ event }) => event).sort();
}

/** Waits until the workers have nothing left to do. */
async function settleWorkers({ pool }: Ledger): Promise<void> {
  const open = `SELECT 1 FROM usage_thresholds WHERE announced_at IS NULL UNION ALL SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1`;
  await waitUntil(async () => (await pool.query(open)).rowCount === 0, { what: 'the workers', timeoutMs: 60_000 });
}

it('gives two databases with one owner each the answers, balances, rows and events of one with both', async () => {
  const halves = owners.map(({ half }) => half);
  for (const ledger of [whole, ...halves]) await settleWorkers(ledger);

  for (const { onWhole, half } of owners) {
    const { owner } = onWhole;
    const books = await readBooks(whole.pool, owner.accountId);
    expect(await readBooks(half.pool, owner.accountId)).toEqual(books);
    expect(books.holds.length).toBeGreaterThan(40);
    const verdict = await verify(whole, owner);
    expect(verdict.differences).toEqual([]);
    expect(await verify(half, owner)).toEqual(verdict);
    const overrides = await readAccountLimitOverrides(whole.pool, owner.accountId);
    expect(await readAccountLimitOverrides(half.pool, owner.accountId)).toEqual(overrides);
    const holdIds = books.holds.map((line) => line.slice(0, 36));
    const { outcomes } = await whole.network.client(HoldService).readHoldOutcomes({ holdIds }, callAs(owner));
    const same = await half.network.client(HoldService).readHoldOutcomes({ holdIds }, callAs(owner));
    expect(byHold(same.outcomes)).toEqual(byHold(outcomes));
  }
  const events = await readEvents(whole);
  expect(events.length).toBeGreaterThan(60);
  expect((await Promise.all(halves.map(readEvents))).flat().sort()).toEqual(events);
  const totals = await Promise.all(halves.map(({ pool }) => readOpenHoldTotals(pool)));
  expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe((await readOpenHoldTotals(whole.pool)).count);
  const rows = await countRowsByOwner(whole.pool);
  expect(rows.filter((line) => line.includes(' of none: '))).toEqual([]);
  expect((await Promise.all(halves.map(({ pool }) => countRowsByOwner(pool)))).flat().sort()).toEqual(rows);
  expect(await findTablesWithoutOwner(whole.pool, SCHEMA)).toEqual([]);
});

async function verify({ network }: Ledger, owner: Principal) {
  const verdict = await network.client(BillingService).verifyLedger({}, callAs(owner));
  const { differences, openHolds, overrunMicrocents, unreconciledMicrocents } = verdict;
  return { differences, openHolds, overrunMicrocents, unreconciledMicrocents };
}

function byHold<T extends { holdId: string }>(outcomes: T[]): T[] {
  return outcomes.toSorted((a, b) => (a.holdId < b.holdId ? -1 : 1));
}

it('gives each event a key of one owner', async () => {
  const keys = await Promise.all(owners.map(listKeys));
  const { rows } = await whole.pool.query<{ key: string }>('SELECT DISTINCT key FROM tollgate_events.log');
  const ownersOfKeys = rows.map(({ key }) => keys.filter((own) => own.has(key)).length);
  expect(ownersOfKeys).toEqual(rows.map(() => 1));
});

/** Returns the keys that events of an owner may have: the account, its project and its customers. */
async function listKeys({ onWhole: { owner } }: Owner): Promise<Set<string>> {
  const { rows } = await whole.pool.query<{ id: string }>('SELECT id FROM customers WHERE account_id = $1', [
    owner.accountId,
  ]);
  return new Set([owner.accountId, owner.projectId, ...rows.map(({ id }) => id)]);
}

it('serves one owner while every row of another is locked', async () => {
  const [owner, other] = owners as [Owner, Owner];
  const client = await whole.pool.connect();
  let locked: Promise<Answer[]> | undefined;
  try {
    await client.query('BEGIN');
    await lockOwnerRows(client, other.onWhole.owner.accountId);
    // The statement for many holds leaves a locked one to the statement for a single hold.
    locked = other.onWhole.perform(commands(other).progress('first'), whole.network);
    const act = commands(owner);
    const perform = (action: Action) => owner.onWhole.perform(action, whole.network);
    await perform(act.settle('first', 0n));
    expect(await perform(act.admit('paygo', 'unhindered'))).toEqual([expect.objectContaining({ maxOutput: 500 })]);
    await perform(act.extend('unhindered'));
    await perform(act.progress('unhindered'));
    expect(await perform(act.settle('unhindered'))).toEqual([expect.objectContaining({ outcome: 'POSTED' })]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect(await locked).toEqual([{ isOpen: true }]);
});

it('runs every hot statement of the source, on tables with an owner and without locks of a database', async () => {
  expect([...recording.sent.keys()].sort()).toEqual(listHotFunctions());
  const { rows } = await whole.pool.query<{ name: string }>('SELECT tablename AS name FROM pg_tables');
  const tables = new Set(rows.map(({ name }) => name));
  const statements = [...recording.sent.values()].flatMap((texts) => [...texts]);
  const used = new Set(statements.flatMap((statement) => readTables(statement, tables)));
  expect(used).toContain('usage_rollups');
  expect([...used].filter((table) => !hasOwner(table))).toEqual([]);
  const locking = /\badvisory\b|pg_(try_)?advisory|\bLOCK TABLE\b|\bnextval\b|\bSERIALIZABLE\b/i;
  expect(statements.filter((statement) => locking.test(statement))).toEqual([]);
});
