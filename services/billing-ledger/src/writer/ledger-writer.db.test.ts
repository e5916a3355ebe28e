import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import { type Cut, type CutProxy, startCutProxy } from '../proof/cut-proxy.js';
import {
  callAs,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../testing/ledger-harness.js';
import { type Queued, type WriterItem, WriterQueue } from './writer-queue.js';

const ASK = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const FUNDS = 10_000_000_000n;
const ROUNDS = 40;
const MONEY = /^(raise_held|insert_holds|hold_all_or_nothing|settle_and_hold)$/;

let harness: LedgerHarness;
let proxy: CutProxy;
/** A replica whose statements the test can pause. */
let slow: LocalNetwork;
let quick: LocalNetwork;
const suspended = new Set<number>();

beforeAll(async () => {
  harness = await startLedgerHarness('ledger-writer', { env: { HOLD_TTL: '1h' } });
  proxy = await startCutProxy(harness.database.url, (statement) => MONEY.test(statement));
  slow = await harness.replicaNetwork({ DATABASE_URL: proxy.url, HOLD_SWEEP_INTERVAL: '1h' });
  quick = await harness.replicaNetwork({ HOLD_SWEEP_INTERVAL: '1h' });
});
afterAll(async () => {
  proxy.resume();
  for (const pid of suspended) process.kill(pid, 'SIGCONT');
  await harness.stop();
  await proxy.stop();
});

afterEach(() => void jest.restoreAllMocks());

async function newOwner(at = quick): Promise<Principal> {
  const owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, FUNDS);
  // Opens the account and loads the subject, so that later calls reach the writer without delay.
  await release(at, owner, await admit(at, owner));
  return owner;
}

async function admit(
  at: LocalNetwork,
  principal: Principal,
  timeoutMs = 10_000,
  { holdId = randomUUID() as string } = {},
): Promise<string> {
  const call = startCall({ principal, requestId: holdId, timeoutMs });
  const { decision } = await at.client(BillingService).admit({ ...ASK, holdId }, call);
  expect(decision.case).toBe('admitted');
  return holdId;
}

async function release(at: LocalNetwork, principal: Principal, holdId: string, timeoutMs = 10_000): Promise<void> {
  await at.client(BillingService).settle({ holdId, usage: {} }, startCall({ principal, requestId: holdId, timeoutMs }));
}

async function openHolds(owner: Principal): Promise<bigint> {
  const { openHolds, differences } = await harness.billing.verifyLedger({}, callAs(owner));
  expect(differences).toEqual([]);
  return openHolds;
}

/** Waits until the paused writer has sent its statement. */
async function untilPaused(): Promise<void> {
  await waitUntil(() => proxy.seen.includes('hold_all_or_nothing'), { what: 'the statement of the paused writer' });
}

/** Returns how often a statement was seen. */
function statements(name: string): number {
  return proxy.seen.filter((seen) => seen === name).length;
}

/** Returns a function that waits until an item of the hold is queued. Call it before. */
function watchQueue(holdId: string): () => Promise<unknown> {
  const push = jest.spyOn(WriterQueue.prototype, 'push');
  const isQueued = () =>
    push.mock.calls.some(([queued]: [Queued<WriterItem, unknown>]) => queued.item.holdId === holdId);
  return () => waitUntil(isQueued, { what: 'the item in the queue' });
}

/** Returns the median time of an admission with its release. */
async function medianMs(owner: Principal): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await release(quick, owner, await admit(quick, owner));
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[ROUNDS / 2] as number;
}

/** Locks a tenant's account until the returned function is called. */
async function lockAccount(owner: Principal): Promise<() => Promise<void>> {
  const blocker = await harness.database.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM accounts WHERE owner_account_id = $1 FOR UPDATE', [owner.accountId]);
  return async () => {
    await blocker.query('ROLLBACK');
    blocker.release();
  };
}

describe('a tenant whose account row stays locked', () => {
  it('does not delay admissions and settlements of another tenant', async () => {
    const [locked, other] = [await newOwner(), await newOwner()];
    const held = await admit(quick, locked);
    const undisturbedMs = await medianMs(other);
    const unlock = await lockAccount(locked);
    const waiting = [admit(quick, locked, 60_000), release(quick, locked, held, 60_000), admit(quick, locked, 60_000)];
    const disturbedMs = await medianMs(other);
    await unlock();
    await Promise.all(waiting);
    // Behind the locked rows each round would wait twice for the lock timeout of 300 ms.
    expect(disturbedMs).toBeLessThan(2 * undisturbedMs + 300);
    expect([await openHolds(locked), await openHolds(other)]).toEqual([2n, 0n]);
  });

  it('leaves no hold for callers whose deadlines passed during the lock and that released their holds', async () => {
    const locked = await newOwner();
    const unlock = await lockAccount(locked);
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const refused = await Promise.allSettled(ids.map((holdId) => admit(quick, locked, 600, { holdId })));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    const released = ids.map((holdId) => release(quick, locked, holdId));
    await unlock();
    await Promise.all(released);
    await admit(quick, locked);
    expect(await openHolds(locked)).toBe(1n);
  });
});

describe('a delayed writer', () => {
  it('creates no hold for callers whose deadline passed in the queue', async () => {
    const owner = await newOwner(slow);
    proxy.arm();
    proxy.pauseAt('hold_all_or_nothing');
    const first = admit(slow, owner);
    await untilPaused();
    const refused = await Promise.allSettled(Array.from({ length: 20 }, () => admit(slow, owner, 300)));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    proxy.resume();
    await first;
    await admit(slow, owner);
    expect(await openHolds(owner)).toBe(2n);
  });

  it('creates no hold for callers that gave up in the queue', async () => {
    const owner = await newOwner(slow);
    proxy.arm();
    proxy.pauseAt('hold_all_or_nothing');
    const first = admit(slow, owner);
    await untilPaused();
    const abort = new AbortController();
    const holdId = randomUUID();
    const call = startCall({ principal: owner, requestId: holdId, timeoutMs: 10_000, signal: abort.signal });
    const untilQueued = watchQueue(holdId);
    const left = slow.client(BillingService).admit({ ...ASK, holdId }, call);
    left.catch(() => undefined);
    await untilQueued();
    abort.abort(new Error('the client left'));
    proxy.resume();
    await first;
    await left.catch(() => undefined);
    await admit(slow, owner);
    expect(await openHolds(owner)).toBe(2n);
  });

  it('ends a hold as released when its release waits in the queue together with its admission', async () => {
    const owner = await newOwner(slow);
    proxy.arm();
    proxy.pauseAt('hold_all_or_nothing');
    const first = admit(slow, owner);
    await untilPaused();
    const holdId = randomUUID();
    const call = startCall({ principal: owner, requestId: holdId, timeoutMs: 10_000 });
    const untilQueued = watchQueue(holdId);
    const admitted = slow.client(BillingService).admit({ ...ASK, holdId }, call);
    await untilQueued();
    const released = release(slow, owner, holdId);
    proxy.resume();
    await Promise.all([first, admitted, released]);
    expect(await openHolds(owner)).toBe(1n);
  });
});

describe('settlements and admissions that wait together', () => {
  const usage = { inputTokens: 10n, outputTokens: 20n };
  const HELD = 28_000n;

  async function settle(principal: Principal, holdId: string) {
    const call = startCall({ principal, requestId: holdId, timeoutMs: 10_000 });
    return slow.client(BillingService).settle({ holdId, usage }, call);
  }

  async function tryAdmit(principal: Principal, holdId: string) {
    const call = startCall({ principal, requestId: holdId, timeoutMs: 10_000 });
    return (await slow.client(BillingService).admit({ ...ASK, holdId }, call)).decision;
  }

  /** Queues the calls while another owner's admission occupies the writer, in this order, and returns their results. */
  async function whileBusy<T extends unknown[]>(
    calls: { [K in keyof T]: [string, () => Promise<T[K]>] },
    cut?: Cut,
  ): Promise<T> {
    const other = await newOwner(slow);
    proxy.arm(cut);
    proxy.pauseAt('hold_all_or_nothing');
    const first = admit(slow, other);
    await untilPaused();
    const results: Promise<unknown>[] = [];
    for (const [holdId, call] of calls) {
      const untilQueued = watchQueue(holdId);
      results.push(call());
      await untilQueued();
    }
    proxy.resume();
    await first;
    return (await Promise.all(results)) as T;
  }

  /** Returns an owner whose funds cover a number of holds. */
  async function newOwnerWithFunds(holds: bigint): Promise<Principal> {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, holds * HELD);
    await release(slow, owner, await admit(slow, owner));
    return owner;
  }

  it('writes them in one statement, in which the settlements free funds for the admissions', async () => {
    const owner = await newOwnerWithFunds(1n);
    const held = await admit(slow, owner);
    await fundOwner(harness.billing, owner, 7_000n);
    const next = randomUUID() as string;
    const [settled, admitted] = await whileBusy([
      [held, () => settle(owner, held)],
      [next, () => tryAdmit(owner, next)],
    ]);
    expect(settled).toMatchObject({ outcome: SettleOutcome.POSTED, ownerMicrocents: 7_000n });
    expect(admitted).toMatchObject({ case: 'admitted', value: { heldMicrocents: HELD } });
    expect(statements('settle_and_hold')).toBe(1);
    expect(await openHolds(owner)).toBe(1n);
  });

  it('settles and decides the admissions one by one if they do not all fit', async () => {
    const owner = await newOwnerWithFunds(1n);
    const held = await admit(slow, owner);
    const ids = [randomUUID() as string, randomUUID() as string] as const;
    await fundOwner(harness.billing, owner, 7_000n);
    const [settled, ...admitted] = await whileBusy([
      [held, () => settle(owner, held)],
      [ids[0], () => tryAdmit(owner, ids[0])],
      [ids[1], () => tryAdmit(owner, ids[1])],
    ]);
    expect(settled).toMatchObject({ outcome: SettleOutcome.POSTED, ownerMicrocents: 7_000n });
    expect(admitted).toMatchObject([
      { case: 'admitted' },
      { case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } },
    ]);
    expect([statements('settle_and_hold'), statements('insert_holds')]).toEqual([1, 1]);
    expect(await openHolds(owner)).toBe(1n);
  });

  it('writes them separately if another replica has ended the hold or the admission is repeated', async () => {
    const owner = await newOwner(slow);
    const held = await admit(slow, owner);
    const next = randomUUID() as string;
    const before = await quick
      .client(BillingService)
      .settle({ holdId: held, usage }, startCall({ principal: owner, requestId: held, timeoutMs: 10_000 }));
    expect(before.outcome).toBe(SettleOutcome.POSTED);
    const [settled, admitted] = await whileBusy([
      [held, () => settle(owner, held)],
      [next, () => tryAdmit(owner, next)],
    ]);
    expect(settled).toMatchObject({ outcome: SettleOutcome.DUPLICATE, ownerMicrocents: 7_000n });
    expect(admitted.case).toBe('admitted');
    const last = await admit(slow, owner);
    const [ended, repeated] = await whileBusy([
      [last, () => settle(owner, last)],
      [next, () => tryAdmit(owner, next)],
    ]);
    expect(ended.outcome).toBe(SettleOutcome.POSTED);
    expect(repeated).toMatchObject({ case: 'admitted', value: { heldMicrocents: HELD } });
    expect(await openHolds(owner)).toBe(1n);
  });

  it.each(['before', 'after'] as const)('has its effect once if the connection breaks %s it', async (when) => {
    const owner = await newOwner(slow);
    const held = await admit(slow, owner);
    const next = randomUUID() as string;
    const calls: [[string, () => ReturnType<typeof settle>], [string, () => ReturnType<typeof tryAdmit>]] = [
      [held, () => settle(owner, held)],
      [next, () => tryAdmit(owner, next)],
    ];
    const [settled, admitted] = await whileBusy(calls, { at: 2, when });
    expect([proxy.isCut, proxy.seen[1]]).toEqual([true, 'settle_and_hold']);
    expect(settled).toMatchObject({ ownerMicrocents: 7_000n });
    expect(admitted.case).toBe('admitted');
    expect(await openHolds(owner)).toBe(1n);
  });
});

describe('a batch with an item that PostgreSQL refuses', () => {
  /** Makes PostgreSQL refuse all changes of holds. */
  async function refuseWrites(event: 'INSERT' | 'UPDATE', condition: string): Promise<void> {
    const name = `refuse_${randomUUID().replaceAll('-', '')}`;
    await harness.database.pool.query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'out of range' USING ERRCODE = '22003'; END $$;
      CREATE TRIGGER ${name} BEFORE ${event} ON holds FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}();`);
  }

  it('settles each item alone, and the refused one without its usage', async () => {
    const owner = await newOwner(slow);
    const ids = [await admit(slow, owner), await admit(slow, owner), await admit(slow, owner)];
    const [refused] = ids;
    await refuseWrites('UPDATE', `NEW.request_id = '${refused}' AND NEW.output_tokens > 0`);
    proxy.arm();
    const usage = { inputTokens: 10n, outputTokens: 20n };
    const settle = (holdId: string) =>
      slow.client(BillingService).settle({ holdId, usage }, startCall({ principal: owner, timeoutMs: 10_000 }));
    const results = await Promise.all(ids.map(settle));
    expect(results.map(({ ownerMicrocents }) => ownerMicrocents)).toEqual([0n, 7_000n, 7_000n]);
    // One batch, three items alone, and the refused item once more without its usage.
    expect(statements('settle_and_hold')).toBe(5);
    expect(await openHolds(owner)).toBe(0n);
  });

  it('admits each item alone and fails only the refused one', async () => {
    const owner = await newOwner(slow);
    const ids = Array.from({ length: 3 }, () => randomUUID() as string);
    await refuseWrites('INSERT', `NEW.request_id = '${ids[0]}'`);
    proxy.arm();
    const [refused, ...neighbors] = await Promise.allSettled(
      ids.map((holdId) => admit(slow, owner, 10_000, { holdId })),
    );
    expect(refused).toMatchObject({ reason: { code: 'INTERNAL_ERROR', retryable: false } });
    expect(neighbors.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    // One batch, then three items alone under lock.
    expect([statements('hold_all_or_nothing'), statements('insert_holds')]).toEqual([1, 3]);
    expect(await openHolds(owner)).toBe(2n);
  });
});

describe('a database process that hangs', () => {
  /** Stops the server process of a replica's writer. */
  async function suspendWriter(): Promise<number> {
    const { rows } = await harness.database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY state_change DESC LIMIT 1`,
      [`${harness.database.schema} lane`],
    );
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    suspended.add(pid);
    return pid;
  }

  it('abandons the process and admits on a new connection; the old one executes nothing later', async () => {
    const owner = await newOwner();
    const pid = await suspendWriter();
    const abandoned = admit(quick, owner, 1_000);
    await expect(abandoned).rejects.toMatchObject({ retryable: true });
    await admit(quick, owner, 9_000);
    expect(await openHolds(owner)).toBe(1n);
    process.kill(pid, 'SIGCONT');
    suspended.delete(pid);
    const { pool } = harness.database;
    const isEnded = async () =>
      (await pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0;
    await waitUntil(isEnded, { what: 'the end of the server process' });
    expect(await openHolds(owner)).toBe(1n);
  });
});
