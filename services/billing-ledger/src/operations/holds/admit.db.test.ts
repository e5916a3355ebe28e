import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createEmbeddedTransport, decodeEvent, eventTypes, type ReceivedEvent } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('ledger', { env: { HOLD_TTL: '60s' } });
  billing = harness.billing;
});
afterAll(() => harness.stop());

/** 10 tokens in at 100 and at most 90 out at 300: 28,000 microcents for the customer and, at catalog price, the owner. */
const REQUEST = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const HELD = 10n * 100n + 90n * 300n;

async function admit(client: BillingClient, principal: Principal, values: object = {}) {
  const holdId = randomUUID();
  const { decision } = await client.admit({ ...REQUEST, holdId, ...values }, callAs(principal));
  return { holdId, decision };
}

async function settle(
  client: BillingClient,
  principal: Principal,
  holdId: string,
  inputTokens: bigint,
  outputTokens: bigint,
) {
  return client.settle({ holdId, usage: { inputTokens, outputTokens } }, callAs(principal));
}

async function expectConsistent(owner: Principal, open = 0n) {
  const verdict = await billing.verifyLedger({}, callAs(owner));
  expect(verdict.differences).toEqual([]);
  expect(verdict.openHolds).toBe(open);
}

describe('admission under contention', () => {
  it.each([
    ['one replica', 1],
    ['three replicas', 3],
  ])('admits exactly 37 of 200 concurrent requests against money for 37, on %s', async (_, replicas) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 37n * HELD);
    const clients = [billing, ...(await Promise.all(Array.from({ length: replicas - 1 }, () => harness.replica())))];

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => admit(clients[i % clients.length] as BillingClient, customer.principal)),
    );

    expect(answers.filter((a) => a.decision.case === 'admitted')).toHaveLength(37);
    const codes = new Set(answers.flatMap((a) => (a.decision.case === 'refused' ? [a.decision.value.code] : [])));
    expect([...codes]).toEqual(['WALLET_EMPTY']);
    await expectConsistent(owner, 37n);
  });

  it.each([
    ['together', 90, HELD],
    ['one by one, cut to what is left', undefined, 10n * 100n + 300n * 300n],
  ])(
    'decides on locked rows: two replicas that wait for one account admit once, %s',
    async (_, maxOutputTokens, funds) => {
      const owner = ownerPrincipal();
      await fundOwner(billing, owner, 10_000_000_000n);
      const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
      await fundWallet(billing, owner, customer.id, funds);
      const replicas = [billing, await harness.replica()];
      // Whoever reads the balance without the lock reads it now, and would still believe it after the wait.
      const blocker = await harness.database.pool.connect();
      await blocker.query('BEGIN');
      await blocker.query("SELECT 1 FROM accounts WHERE kind = 'wallet' AND ref_id = $1 FOR UPDATE", [customer.id]);
      const answers = replicas.map((replica) => admit(replica, customer.principal, { maxOutputTokens }));
      await untilBlocked(2);
      await blocker.query('COMMIT');
      blocker.release();
      const cases = (await Promise.all(answers)).map((answer) => answer.decision.case);
      expect(cases.sort()).toEqual(['admitted', 'refused']);
      await expectConsistent(owner, 1n);
    },
  );

  async function untilBlocked(lanes: number): Promise<void> {
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
      WHERE a.application_name = '${harness.database.schema} lane' AND NOT l.granted AND a.wait_event_type = 'Lock'`;
    while ((await harness.database.pool.query<{ n: number }>(waiting)).rows[0]?.n !== lanes) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it('lets small requests through when a large one in the same batch does not fit', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 2n * HELD);
    const [large, ...small] = await Promise.all([
      admit(billing, customer.principal, { maxOutputTokens: 10_000 }),
      admit(billing, customer.principal),
      admit(billing, customer.principal),
    ]);
    expect(large.decision.case).toBe('refused');
    expect(small.map((a) => a.decision.case)).toEqual(['admitted', 'admitted']);
  });

  it('holds nothing of any limit when one of them refuses', async () => {
    const owner = ownerPrincipal();
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 100n * HELD);
    const { decision } = await admit(billing, customer.principal);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance.reservedMicrocents).toBe(0n);
    await expectConsistent(owner);
  });
});

describe('settlement', () => {
  it('charges exactly what was served and returns the rest of the hold', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 1_000_000n);
    const { holdId } = await admit(billing, customer.principal);
    const result = await settle(billing, customer.principal, holdId, 9n, 20n);
    expect(result).toMatchObject({ outcome: SettleOutcome.POSTED, customerMicrocents: 6_900n, overrunMicrocents: 0n });
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance).toMatchObject({ balanceMicrocents: 993_100n, reservedMicrocents: 0n });
    const usage = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(usage).toMatchObject({ requests: 1n, tokens: 29n, totalCostMicrocents: 6_900n });
    await expectConsistent(owner);
  });

  it('charges once however often, and wherever, a settlement is repeated', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    const other = await harness.replica();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => settle(i % 2 ? other : billing, owner, holdId, 10n, 10n)),
    );
    expect(results.filter((r) => r.outcome === SettleOutcome.POSTED)).toHaveLength(1);
    expect(results.filter((r) => r.outcome === SettleOutcome.DUPLICATE)).toHaveLength(19);
    expect(new Set(results.map((r) => r.ownerMicrocents)).size).toBe(1);
    await expectConsistent(owner);
  });

  it('never charges more than was held; the excess is overrun', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, HELD);
    const { holdId } = await admit(billing, customer.principal);
    const result = await settle(billing, customer.principal, holdId, 1_000n, 1_000n);
    expect(result.customerMicrocents).toBe(HELD);
    expect(result.overrunMicrocents).toBeGreaterThan(0n);
    expect((await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner))).balanceMicrocents).toBe(0n);
    await expectConsistent(owner);
  });

  it('releases the whole hold when nothing was served', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    expect((await settle(billing, owner, holdId, 0n, 0n)).outcome).toBe(SettleOutcome.RELEASED);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000n);
    await expectConsistent(owner);
  });

  it('of a call cut off unheard frees the funds, charges nobody and records the doubt, once', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(billing, owner);
    const settleInDoubt = () => billing.settle({ holdId, usage: {}, isInDoubt: true }, callAs(owner));
    expect(await settleInDoubt()).toMatchObject({ outcome: SettleOutcome.RELEASED, ownerMicrocents: 0n });
    expect((await settleInDoubt()).outcome).toBe(SettleOutcome.DUPLICATE);
    expect(await billing.getAccountBalance({}, callAs(owner))).toMatchObject({
      balanceMicrocents: HELD,
      reservedMicrocents: 0n,
    });
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: HELD,
    });
  });

  it('answers an unknown request without effect', async () => {
    const owner = ownerPrincipal();
    expect((await settle(billing, owner, randomUUID(), 1n, 1n)).outcome).toBe(SettleOutcome.UNKNOWN_REQUEST);
  });

  it('writes one usage event per request, with the ledger figures', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    await settle(billing, owner, holdId, 10n, 10n);
    await settle(billing, owner, holdId, 10n, 10n);
    const seen: ReceivedEvent[] = [];
    const transport = createEmbeddedTransport({ url: harness.database.url, logger: silentLogger });
    await transport.start();
    const isMine = (event: ReceivedEvent) =>
      event.type === 'usage.recorded' && decodeEvent(eventTypes.usageRecorded, event).holdId === holdId;
    await new Promise<void>((resolve) => {
      const handler = async (event: ReceivedEvent) => {
        seen.push(event);
        if (isMine(event)) resolve();
      };
      return transport.subscribe({ group: randomUUID(), topics: ['tollgate.usage.v1'], handler });
    });
    await transport.stop();
    const mine = seen.filter(isMine).map((event) => decodeEvent(eventTypes.usageRecorded, event));
    expect(mine).toMatchObject([
      { accountId: owner.accountId, usage: { inputTokens: 10n, outputTokens: 10n }, providerMicrocents: 4_000n },
    ]);
  });
});

describe('admission is idempotent', () => {
  it('answers a repeated request id as before and holds once', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const holdId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => billing.admit({ ...REQUEST, holdId }, callAs(owner))));
    expect(answers.map((a) => a.decision.case)).toEqual(['admitted', 'admitted', 'admitted']);
    await expectConsistent(owner, 1n);
  });

  it.each([
    ['released', 0n, { hasEnded: true, wasReleased: true }],
    ['settled', 10n, { hasEnded: true, wasReleased: false }],
  ])('says of a repeated request id that its hold has ended: %s', async (_, outputTokens, ended) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    await settle(billing, owner, holdId, outputTokens, outputTokens);
    const { decision } = await billing.admit({ ...REQUEST, holdId }, callAs(owner));
    expect(decision).toMatchObject({ case: 'admitted', value: ended });
    await expectConsistent(owner);
  });
});

describe('limits', () => {
  it('cuts an unbounded request to what the funds cover, and a bounded one is refused', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10n * 100n + 1_000n * 300n);
    const bounded = await admit(billing, owner, { maxOutputTokens: 2_000 });
    expect(bounded.decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
    const open = await admit(billing, owner, { maxOutputTokens: undefined });
    expect(open.decision).toMatchObject({ case: 'admitted', value: { maxOutputTokens: 1_000 } });
  });

  it('fills a request from the wallet when an overage tier has used its allowance', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'plus', spendLimitCents: 0n, overageEnabled: true });
    expect((await admit(billing, customer.principal)).decision).toMatchObject({
      case: 'refused',
      value: { code: 'TIER_ALLOWANCE_EXHAUSTED' },
    });
    await fundWallet(billing, owner, customer.id, HELD);
    const { holdId, decision } = await admit(billing, customer.principal);
    expect(decision.case).toBe('admitted');
    expect((await settle(billing, customer.principal, holdId, 10n, 90n)).customerMicrocents).toBe(HELD);
    await expectConsistent(owner);
  });

  it('has left of its allowance what was not charged to it, whatever the wallet paid beside', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'both', spendLimitCents: 1n, overageEnabled: true });
    await fundWallet(billing, owner, customer.id, 1_000_000n);
    const large = await admit(billing, customer.principal, { maxOutputTokens: 3_000 });
    const second = await admit(billing, customer.principal, { maxOutputTokens: 900 });
    await settle(billing, customer.principal, large.holdId, 10n, 10n);
    // 271,000, of which the other's hold had left 99,000 in the allowance.
    await settle(billing, customer.principal, second.holdId, 10n, 900n);
    const usage = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(usage).toMatchObject({
      totalCostMicrocents: 275_000n,
      spendRemainingMicrocents: 1_000_000n - 4_000n - 99_000n,
      walletBalanceMicrocents: 1_000_000n - 172_000n,
    });
    await expectConsistent(owner);
  });

  it('applies a changed spend limit to the running window', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'basic', spendLimitCents: 0n });
    expect((await admit(billing, customer.principal)).decision.case).toBe('refused');
    const tier = (await billing.getTier({ by: { case: 'tierCode', value: 'basic' } }, callAs(owner))).tier;
    const change = async (cents: bigint) =>
      billing.updateTier(
        { id: tier?.id ?? '', values: { spendLimitCents: cents }, updateMask: ['spend_limit_cents'] },
        callAs(owner),
      );
    await change(1n);
    expect((await admit(billing, customer.principal)).decision.case).toBe('admitted');
    await change(0n);
    expect((await admit(billing, customer.principal)).decision.case).toBe('refused');
    await expectConsistent(owner, 1n);
  });

  it('holds a key to its lifetime limit', async () => {
    const owner = ownerPrincipal({ keySpendLimitMicrocents: HELD });
    await fundOwner(billing, owner, 1_000_000_000n);
    const first = await admit(billing, owner);
    expect((await admit(billing, owner)).decision).toMatchObject({
      case: 'refused',
      value: { code: 'API_KEY_SPEND_LIMIT_REACHED' },
    });
    await settle(billing, owner, first.holdId, 0n, 0n);
    expect((await admit(billing, owner)).decision.case).toBe('admitted');
  });

  it.each([
    ['no subscription', undefined, 'SUBSCRIPTION_INACTIVE'],
    ['unpaid', 'unpaid', 'SUBSCRIPTION_INACTIVE'],
    ['canceled', 'canceled', 'SUBSCRIPTION_INACTIVE'],
    ['paused', 'paused', 'SUBSCRIPTION_INACTIVE'],
    ['incomplete', 'incomplete', 'SUBSCRIPTION_INACTIVE'],
    ['incomplete_expired', 'incomplete_expired', 'SUBSCRIPTION_INACTIVE'],
    ['active', 'active', undefined],
    ['trialing', 'trialing', undefined],
    ['past_due', 'past_due', undefined],
  ])('judges a subscription that is %s', async (_, status, code) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'free' });
    if (status)
      await billing.setSubscription(
        { customerId: customer.id, tierCode: 'free', subscriptionStatus: status },
        callAs(owner),
      );
    else await harness.database.pool.query('DELETE FROM subscriptions WHERE customer_id = $1', [customer.id]);
    const { decision } = await admit(billing, customer.principal);
    if (code) expect(decision).toMatchObject({ case: 'refused', value: { code } });
    else expect(decision.case).toBe('admitted');
  });

  it.each([
    ['input', { inputTokensEstimate: -1_000n }],
    ['output', { maxOutputTokens: -1 }],
    ['images', { images: -1 }],
  ])('has nothing to do with %s below zero', async (_, values) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    await expect(admit(billing, owner, values)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expectConsistent(owner);
  });

  it.each([
    ['an unknown model', { model: 'nobody/nothing' }, 'INVALID_INPUT', 'nobody/nothing'],
    ['a model outside the tier', { model: 'sandbox/image-1', kind: 2, images: 1 }, 'FORBIDDEN', 'sandbox/image-1'],
  ])('refuses %s by name', async (_, values, code, named) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'free' });
    const { decision } = await admit(billing, customer.principal, values);
    expect(decision).toMatchObject({ case: 'refused', value: { code } });
    expect(decision.case === 'refused' && decision.value.message).toContain(named);
  });
});

describe('expiry', () => {
  it('gives a forgotten hold a verdict, frees the funds and records the doubt', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '100ms' });
    const { holdId, decision } = await admit(hasty, owner);
    expect(decision.case).toBe('admitted');
    await untilEnded(holdId);
    const verdict = await billing.verifyLedger({}, callAs(owner));
    expect(verdict).toMatchObject({ differences: [], openHolds: 0n, unreconciledMicrocents: HELD });
    expect((await billing.getAccountBalance({}, callAs(owner))).reservedMicrocents).toBe(0n);
  });

  it('charges what progress proved', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '150ms' });
    const { holdId } = await admit(hasty, owner);
    expect(
      (await hasty.recordProgress({ holdId, usage: { inputTokens: 10n, outputTokens: 5n } }, callAs(owner))).open,
    ).toBe(true);
    await untilEnded(holdId);
    const verdict = await billing.verifyLedger({}, callAs(owner));
    expect(verdict).toMatchObject({ differences: [], openHolds: 0n, unreconciledMicrocents: HELD - 2_500n });
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(HELD - 2_500n);
  });

  it('accepts one late report and takes the doubt back', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '100ms' });
    const { holdId } = await admit(hasty, owner);
    await untilEnded(holdId);
    const results = await Promise.all([1, 2, 3].map(() => settle(billing, owner, holdId, 10n, 10n)));
    expect(results.map((r) => r.outcome).sort()).toEqual(
      [SettleOutcome.DUPLICATE, SettleOutcome.DUPLICATE, SettleOutcome.LATE].sort(),
    );
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: 0n,
    });
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(HELD - 4_000n);
  });

  async function untilEnded(holdId: string): Promise<void> {
    for (;;) {
      const { rows } = await harness.database.pool.query('SELECT 1 FROM holds WHERE request_id = $1 AND state = 0', [
        holdId,
      ]);
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

describe('an attempt that is superseded', () => {
  it.each([
    ['while it is open', false],
    ['after it was settled', true],
  ])('costs the customer nothing %s; the customer pays for the new one', async (_, isSettled) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, HELD);
    const lost = await admit(billing, customer.principal);
    if (isSettled) await settle(billing, customer.principal, lost.holdId, 10n, 10n);
    const next = await admit(billing, customer.principal, { supersedesHoldId: lost.holdId });
    expect(next.decision.case).toBe('admitted');
    if (!isSettled) await settle(billing, customer.principal, lost.holdId, 10n, 10n);
    await settle(billing, customer.principal, next.holdId, 10n, 20n);
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance).toMatchObject({ balanceMicrocents: HELD - 7_000n, reservedMicrocents: 0n });
    const usage = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(usage.totalCostMicrocents).toBe(7_000n);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000n - 4_000n - 7_000n);
    await expectConsistent(owner);
  });
});

describe('the database goes away', () => {
  it('finishes a batch whose connection was cut, without charging twice', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const admitted = await Promise.all(Array.from({ length: 40 }, () => admit(billing, owner)));
    const settling = admitted.map(({ holdId }) => settle(billing, owner, holdId, 10n, 10n));
    await harness.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'billing-ledger lane' AND pid <> pg_backend_pid()`,
    );
    const results = await Promise.all(settling);
    expect(results.every((r) => r.ownerMicrocents === 4_000n)).toBe(true);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000_000n - 40n * 4_000n);
    await expectConsistent(owner);
  });
});

describe('the journal', () => {
  it('cannot be changed', async () => {
    await expect(harness.database.pool.query('UPDATE transfers SET amount = 1')).rejects.toThrow('append-only');
    await expect(harness.database.pool.query('DELETE FROM transfers')).rejects.toThrow('append-only');
  });
});
