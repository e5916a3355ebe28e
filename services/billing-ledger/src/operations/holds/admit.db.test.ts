import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import {
  admit,
  type BillingClient,
  callAs,
  customerOn,
  fundOwner,
  fundWallet,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  REQUEST,
  settle,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('admit', { env: { HOLD_TTL: '60s' } });
  billing = harness.billing;
});
afterAll(() => harness.stop());

async function expectConsistent(owner: Principal, open = 0n) {
  const verdict = await billing.verifyLedger({}, callAs(owner));
  expect(verdict.differences).toEqual([]);
  expect(verdict.openHolds).toBe(open);
}

describe('admission under contention', () => {
  it.each([
    ['one replica', 1],
    ['three replicas', 3],
  ])('admits exactly 37 of 200 concurrent requests against funds for 37, on %s', async (_, replicas) => {
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
    ['one by one, cut to the funds', undefined, 10n * 100n + 300n * 300n],
  ])(
    'decides on locked rows: two replicas that wait for one account admit once, %s',
    async (_, maxOutputTokens, funds) => {
      const owner = ownerPrincipal();
      await fundOwner(billing, owner, 10_000_000_000n);
      const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
      await fundWallet(billing, owner, customer.id, funds);
      const replicas = [billing, await harness.replica()];
      // A replica that reads the balance without the lock reads it now and would use it after the wait.
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
    // A lane that has waited for some time leaves the account to its "locked lane".
    const waiting = `SELECT count(DISTINCT a.pid)::int AS n FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
      WHERE a.application_name IN ('${harness.database.schema} lane', '${harness.database.schema} locked lane')
        AND NOT l.granted AND a.wait_event_type = 'Lock'`;
    const count = async () => (await harness.database.pool.query<{ n: number }>(waiting)).rows[0]?.n;
    await waitUntil(async () => (await count()) === lanes, { what: `${lanes} lanes that wait for a lock` });
  }

  it('admits small requests when a large one in the same batch does not fit', async () => {
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

  it('holds nothing of any limit when one refuses', async () => {
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

describe('a repeated admission', () => {
  it('returns the same response and holds once', async () => {
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
  ])('reports that its hold has ended: %s', async (_, outputTokens, ended) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    await settle(billing, owner, holdId, outputTokens, outputTokens);
    const { decision } = await billing.admit({ ...REQUEST, holdId }, callAs(owner));
    expect(decision).toMatchObject({ case: 'admitted', value: ended });
    await expectConsistent(owner);
  });
});

describe('a limit', () => {
  it('cuts a request without a maximum to the funds and refuses a bounded one', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10n * 100n + 1_000n * 300n);
    const bounded = await admit(billing, owner, { maxOutputTokens: 2_000 });
    expect(bounded.decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
    const open = await admit(billing, owner, { maxOutputTokens: undefined });
    expect(open.decision).toMatchObject({ case: 'admitted', value: { maxOutputTokens: 1_000 } });
  });

  it('charges the wallet when an overage tier has used its allowance', async () => {
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

  it('keeps the part of an allowance that the wallet paid', async () => {
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

  it('enforces the lifetime limit of a key', async () => {
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
  ])('checks the status of a subscription that is %s', async (_, status, code) => {
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
  ])('rejects %s below zero', async (_, values) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    await expect(admit(billing, owner, values)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expectConsistent(owner);
  });

  it.each([
    ['an unknown model', { model: 'no/such-model' }, 'INVALID_INPUT', 'no/such-model'],
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
