import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { type Clock, systemClock } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { COUNTER_ACCOUNTS } from '../domain/counter-accounts.js';
import { HOLD_STATES } from '../domain/hold.js';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../testing/ledger-harness.js';
import { type CutProxy, startCutProxy } from './cut-proxy.js';
import { installWitness, violations } from './witness.js';

/** 10 tokens in at 100 and at most 90 out at 300, for the customer and the owner. */
const ASK = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const HELD = 28_000n;
const CENT = 1_000_000n;

let nowMs = Date.UTC(2027, 2, 10, 12);
const clock: Clock = { ...systemClock, nowMs: () => nowMs, now: () => new Date(nowMs) };
let harness: LedgerHarness;
let proxy: CutProxy;
/** A replica whose connection to the database can be paused. */
let slow: LocalNetwork;
let quick: LocalNetwork;
const MONEY = /^(raise_held|settle_and_hold)$/;

beforeAll(async () => {
  harness = await startLedgerHarness('races', { clock, env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '20ms' } });
  await installWitness(harness.database.pool);
  proxy = await startCutProxy(harness.database.url, (statement) => MONEY.test(statement));
  slow = await harness.replicaNetwork({ DATABASE_URL: proxy.url, HOLD_SWEEP_INTERVAL: '1h' });
  quick = await harness.replicaNetwork();
});
afterAll(async () => {
  proxy.resume();
  await harness.stop();
  await proxy.stop();
});

async function admit(at: LocalNetwork, principal: Principal, values: object = {}) {
  const holdId = randomUUID();
  const call = startCall({ principal, requestId: holdId, timeoutMs: 30_000 });
  const { decision } = await at.client(BillingService).admit({ ...ASK, holdId, ...values }, call);
  return { holdId, decision };
}

function settle(at: LocalNetwork, principal: Principal, holdId: string, inputTokens = 10n, outputTokens = 20n) {
  const call = startCall({ principal, requestId: holdId, timeoutMs: 30_000 });
  return at.client(BillingService).settle({ holdId, usage: { inputTokens, outputTokens } }, call);
}

const expireSql = `UPDATE holds SET expires_at = now() - interval '1 second' WHERE owner_account_id = $1 AND state = ${HOLD_STATES.open}`;

const until = (isSo: () => Promise<boolean> | boolean) =>
  waitUntil(isSo, { what: 'the awaited state', timeoutMs: 60_000 });

async function allEnded(owner: Principal): Promise<boolean> {
  return (await harness.billing.verifyLedger({}, callAs(owner))).openHolds === 0n;
}

async function expectSound(owner: Principal, openHolds = 0n): Promise<void> {
  expect(await violations(harness.database.pool, owner.accountId)).toEqual([]);
  expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [], openHolds });
}

async function onPaygo(walletMicrocents: bigint) {
  const owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 10_000_000_000n);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, walletMicrocents);
  const balance = async () =>
    (await harness.billing.getCustomerBalance({ customerId: customer.id }, callAs(owner))).balanceMicrocents;
  return { owner, payer: customer.principal, customerId: customer.id, balance };
}

describe('a worker that resumes after a pause', () => {
  it('settles a hold late, once, when the verdict was given during the pause', async () => {
    const { owner, payer, balance } = await onPaygo(HELD);
    const { holdId } = await admit(slow, payer);
    proxy.arm();
    proxy.pauseAt('settle_and_hold');
    const settling = settle(slow, payer, holdId);
    await until(() => proxy.seen.includes('settle_and_hold'));
    await harness.database.pool.query(expireSql, [owner.accountId]);
    await until(() => allEnded(owner));
    proxy.resume();
    expect(await settling).toMatchObject({ outcome: SettleOutcome.LATE, customerMicrocents: 7_000n });
    expect((await settle(quick, payer, holdId)).outcome).toBe(SettleOutcome.DUPLICATE);
    expect(await balance()).toBe(HELD - 7_000n);
    await expectSound(owner);
  });

  it('does not admit against funds that were spent after the server released its locks', async () => {
    // Covers the minimum output of a request without a named maximum.
    const { owner, payer } = await onPaygo(256n * 300n);
    proxy.arm();
    proxy.pauseAt('insert_holds');
    const first = admit(slow, payer, { maxOutputTokens: undefined, inputTokensEstimate: 0n });
    first.catch(() => undefined);
    await until(() => proxy.seen.includes('raise_held'));
    const second = admit(quick, payer, { maxOutputTokens: 256, inputTokensEstimate: 0n });
    await terminateIdleWriter();
    expect((await second).decision.case).toBe('admitted');
    proxy.resume();
    expect((await first).decision).toMatchObject({ case: 'refused', value: { code: 'WALLET_EMPTY' } });
    await expectSound(owner, 1n);
  });
});

/** Ends an idle transaction as the server does after its timeout: the locks are released, and the worker does not know it. */
async function terminateIdleWriter(): Promise<void> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = '${harness.database.schema} lane' AND state = 'idle in transaction'`;
  await until(async () => ((await harness.database.pool.query(sql)).rowCount ?? 0) > 0);
}

describe('a sweeper and a late report of the same hold', () => {
  it('ends each of forty holds once and charges its usage once, concurrently on every replica', async () => {
    const { owner, payer, balance } = await onPaygo(40n * HELD);
    const admitted = await Promise.all(Array.from({ length: 40 }, () => admit(quick, payer)));
    const expired = harness.database.pool.query(expireSql, [owner.accountId]);
    const reports = admitted.flatMap(({ holdId }) => [settle(quick, payer, holdId), settle(slow, payer, holdId)]);
    const results = await Promise.all(reports);
    await expired;
    await until(() => allEnded(owner));
    const counted = results.filter((r) => r.outcome === SettleOutcome.POSTED || r.outcome === SettleOutcome.LATE);
    expect(counted).toHaveLength(40);
    expect(await balance()).toBe(40n * (HELD - 7_000n));
    await expectSound(owner);
  });
});

describe('a report after the verdict', () => {
  const progress = (holdId: string, payer: Principal) =>
    quick
      .client(BillingService)
      .recordProgress({ holdId, usage: { inputTokens: 10n, outputTokens: 50n } }, callAs(payer));

  it.each([
    ['more than', 10n, 80n],
    ['less than', 10n, 20n],
    ['nothing instead of', 0n, 0n],
  ])(
    'corrects the charge to a report of %s what the verdict charged, and counts one request at most',
    async (_, input, output) => {
      const { owner, payer, customerId, balance } = await onPaygo(HELD);
      const { holdId } = await admit(quick, payer);
      await progress(holdId, payer);
      await harness.database.pool.query(expireSql, [owner.accountId]);
      await until(() => allEnded(owner));
      const cost = input * 100n + output * 300n;
      expect(await settle(quick, payer, holdId, input, output)).toMatchObject({
        outcome: SettleOutcome.LATE,
        customerMicrocents: cost,
        ownerMicrocents: cost,
        overrunMicrocents: 0n,
      });
      expect(await balance()).toBe(HELD - cost);
      const usage = await harness.billing.getCustomerUsage({ customerId }, callAs(owner));
      expect(usage).toMatchObject({ requests: cost > 0n ? 1n : 0n, totalCostMicrocents: cost });
      await expectSound(owner);
    },
  );

  it('records usage beyond the hold as overrun of both sides', async () => {
    const { owner, payer, balance } = await onPaygo(HELD);
    const { holdId } = await admit(quick, payer);
    await progress(holdId, payer);
    await harness.database.pool.query(expireSql, [owner.accountId]);
    await until(() => allEnded(owner));
    const excess = 10n * 300n;
    expect(await settle(quick, payer, holdId, 10n, 100n)).toMatchObject({
      outcome: SettleOutcome.LATE,
      customerMicrocents: HELD,
      ownerMicrocents: HELD,
      overrunMicrocents: excess,
    });
    expect(await balance()).toBe(0n);
    const { rows } = await harness.database.pool.query(
      `SELECT kind, amount FROM transfers WHERE cause = $1 AND kind LIKE '%overrun%' ORDER BY kind`,
      [holdId],
    );
    expect(rows).toEqual([
      { kind: 'late_overrun', amount: excess },
      { kind: 'late_overrun_customer', amount: excess },
    ]);
    await expectSound(owner);
  });

  it('returns what the verdict charged too much, even to a wallet that is below zero', async () => {
    const { owner, payer, customerId, balance } = await onPaygo(HELD);
    const { holdId } = await admit(quick, payer);
    await progress(holdId, payer);
    await harness.database.pool.query(expireSql, [owner.accountId]);
    await until(() => allEnded(owner));
    // A dispute takes the payment back after 16,000 of it were charged.
    await harness.database.pool.query(
      `WITH wallet AS (UPDATE accounts SET debits = debits + $2 WHERE kind = 'wallet' AND ref_id = $1 RETURNING id)
       INSERT INTO transfers (debit_account, credit_account, amount, kind, cause)
       SELECT id, ${COUNTER_ACCOUNTS.refunds}, $2, 'dispute', gen_random_uuid() FROM wallet`,
      [customerId, HELD],
    );
    expect(await balance()).toBe(-16_000n);
    expect(await settle(quick, payer, holdId, 10n, 20n)).toMatchObject({ customerMicrocents: 7_000n });
    expect(await balance()).toBe(-7_000n);
    expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
  });

  it.each([
    ['had charged something', true],
    ['had charged nothing', false],
  ])('does not charge the customer of a superseded attempt when the verdict %s', async (_, hasProgress) => {
    const { owner, payer, balance } = await onPaygo(2n * HELD);
    const lost = await admit(quick, payer);
    if (hasProgress) await progress(lost.holdId, payer);
    await harness.database.pool.query(expireSql, [owner.accountId]);
    await until(() => allEnded(owner));
    const next = await admit(quick, payer, { supersedesHoldId: lost.holdId });
    expect(await settle(quick, payer, lost.holdId, 10n, 80n)).toMatchObject({
      outcome: SettleOutcome.LATE,
      customerMicrocents: 0n,
      ownerMicrocents: 25_000n,
    });
    await settle(quick, payer, next.holdId);
    expect(await balance()).toBe(2n * HELD - 7_000n);
    await expectSound(owner);
  });
});

describe('a window that rolls over while a hold is open', () => {
  it('charges the old window and starts the new one in full', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, 10_000_000_000n);
    const customer = await customerOn(harness.billing, owner, { tierCode: 'capped', spendLimitCents: 1n });
    const whole = { inputTokensEstimate: 10_000n, maxOutputTokens: 0 };
    const old = await admit(quick, customer.principal, whole);
    expect(old.decision.case).toBe('admitted');
    nowMs += 40 * 86_400_000;
    const fresh = await admit(quick, customer.principal, whole);
    expect(fresh.decision.case).toBe('admitted');
    await settle(quick, customer.principal, old.holdId, 9_000n, 0n);
    const usage = () => harness.billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(await usage()).toMatchObject({ requests: 0n, spendRemainingMicrocents: CENT });
    // The rest returned to the old window is not available in the new one.
    expect((await admit(quick, customer.principal, { ...whole, inputTokensEstimate: 1n })).decision).toMatchObject({
      case: 'refused',
      value: { code: 'TIER_ALLOWANCE_EXHAUSTED' },
    });
    await settle(quick, customer.principal, fresh.holdId, 10_000n, 0n);
    expect(await usage()).toMatchObject({ requests: 1n, totalCostMicrocents: CENT, spendRemainingMicrocents: 0n });
    await expectSound(owner);
  });
});

describe('cutting every database connection repeatedly under load', () => {
  it('admits what the funds cover and charges each request once', async () => {
    const { owner, payer, balance } = await onPaygo(60n * HELD);
    let isOver = false;
    let answers = 0;
    // Waits for an answer after each cut: on a busy machine connections would otherwise never last until one.
    const cutting = (async () => {
      while (!isOver) {
        const before = answers;
        await terminateEverything();
        await until(() => isOver || answers > before);
      }
    })();
    const served: string[] = [];
    const replicas = [quick, slow];
    await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const at = replicas[i % 2] as LocalNetwork;
        const holdId = randomUUID();
        const { decision } = await retried(() => admitAs(at, payer, holdId));
        answers++;
        if (decision.case !== 'admitted') return;
        served.push(holdId);
        // Half of them stay held until the end, so that overspending would be possible.
        if (i % 4 < 2) return;
        await retried(() => settle(at, payer, holdId));
        answers++;
      }),
    );
    isOver = true;
    await cutting;
    await expectSoundHeld(owner);
    await Promise.all(served.map((holdId) => settle(quick, payer, holdId)));
    await expectSound(owner);
    expect(await balance()).toBe(60n * HELD - BigInt(served.length) * 7_000n);
  });

  const admitAs = (at: LocalNetwork, principal: Principal, holdId: string) =>
    at.client(BillingService).admit({ ...ASK, holdId }, startCall({ principal, requestId: holdId, timeoutMs: 30_000 }));

  async function expectSoundHeld(owner: Principal): Promise<void> {
    expect(await violations(harness.database.pool, owner.accountId)).toEqual([]);
    expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
  }

  /** Terminates all connections of this test's schema except its own. */
  async function terminateEverything(): Promise<void> {
    const { schema, pool } = harness.database;
    await pool
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
         AND (application_name = $1 OR application_name = '${harness.database.schema} lane')`,
        [schema],
      )
      .catch(() => undefined);
  }

  /** Retries while the service is unavailable, as every caller does. */
  async function retried<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if ((error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error;
      }
    }
  }
});
