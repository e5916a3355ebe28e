import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('thresholds');
  billing = harness.billing;
});
afterAll(() => harness.stop());

const CENT = 1_000_000n;

/** Creates a customer with an allowance of one cent per window. An input token costs a ten-thousandth of it. */
async function onOneCent(spendLimitCents: bigint | undefined = 1n) {
  const owner = ownerPrincipal();
  await fundOwner(billing, owner, 10_000_000_000n);
  const tier = { tierCode: 'cent', ...(spendLimitCents !== undefined && { spendLimitCents }) };
  const customer = await customerOn(billing, owner, tier);
  return { owner, customer };
}

async function use(principal: Principal, tokens: bigint, client = billing) {
  const holdId = randomUUID();
  const req = { holdId, model: ECHO, inputTokensEstimate: tokens, maxOutputTokens: 0 };
  const { decision } = await client.admit(req, callAs(principal));
  expect(decision.case).toBe('admitted');
  await client.settle({ holdId, usage: { inputTokens: tokens } }, callAs(principal));
}

const SETTLED = 'SELECT count(*)::int AS waiting FROM usage_thresholds WHERE announced_at IS NULL';

/** Returns the events when all thresholds are announced. */
async function announced(owner: Principal) {
  const countWaiting = async () => (await harness.database.pool.query<{ waiting: number }>(SETTLED)).rows[0]?.waiting;
  await waitUntil(async () => (await countWaiting()) === 0, { what: 'the announcement of all thresholds' });
  const events = await harness.events(eventTypes.thresholdExceeded, owner.projectId);
  return events.sort((a, b) => a.thresholdPercent - b.thresholdPercent);
}

const percents = async (owner: Principal) => (await announced(owner)).map((event) => event.thresholdPercent);

describe('usage.threshold_exceeded', () => {
  it('emits the event at 50, 80 and 100 percent, with the figures of that moment', async () => {
    const { owner, customer } = await onOneCent();
    await use(customer.principal, 4_999n);
    expect(await announced(owner)).toEqual([]);
    await use(customer.principal, 1n);
    const [half] = await announced(owner);
    expect(half).toMatchObject({
      projectId: owner.projectId,
      customerId: customer.id,
      tierCode: 'cent',
      thresholdPercent: 50,
      usedMicrocents: CENT / 2n,
      limitMicrocents: CENT,
    });
    const { currentPeriodStart, currentPeriodEnd } =
      (await billing.getCustomer({ by: { case: 'id', value: customer.id } }, callAs(owner))).envelope?.subscription ??
      {};
    if (!half?.windowStart || !half.windowEnd || !currentPeriodStart || !currentPeriodEnd) throw new Error('no window');
    expect(timestampDate(half.windowStart)).toEqual(timestampDate(currentPeriodStart));
    expect(timestampDate(half.windowEnd)).toEqual(timestampDate(currentPeriodEnd));
    await use(customer.principal, 3_000n);
    await use(customer.principal, 1_000n);
    expect(await percents(owner)).toEqual([50, 80]);
    await use(customer.principal, 1_000n);
    expect((await announced(owner)).map((e) => [e.thresholdPercent, e.usedMicrocents])).toEqual([
      [50, CENT / 2n],
      [80, (CENT * 8n) / 10n],
      [100, CENT],
    ]);
  });

  it('emits the event for every threshold that one request passes', async () => {
    const { owner, customer } = await onOneCent();
    await use(customer.principal, 10_000n);
    expect(await percents(owner)).toEqual([50, 80, 100]);
  });

  it('emits the event once per threshold for concurrent requests on two replicas', async () => {
    const { owner, customer } = await onOneCent(10n);
    const other = await harness.replica();
    await Promise.all(Array.from({ length: 100 }, (_, i) => use(customer.principal, 1_000n, i % 2 ? other : billing)));
    expect(await percents(owner)).toEqual([50, 80, 100]);
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [] });
  });

  it('uses the current limit after a tier change', async () => {
    const { owner, customer } = await onOneCent(10n);
    await use(customer.principal, 10_000n);
    expect(await percents(owner)).toEqual([]);
    const tier = (await billing.getTier({ by: { case: 'tierCode', value: 'cent' } }, callAs(owner))).tier;
    const change = async (spendLimitCents: bigint) => {
      const values = { id: tier?.id ?? '', values: { spendLimitCents }, updateMask: ['spend_limit_cents'] };
      await billing.updateTier(values, callAs(owner));
    };
    await change(2n);
    await use(customer.principal, 100n);
    expect(await announced(owner)).toMatchObject([
      { thresholdPercent: 50, usedMicrocents: CENT, limitMicrocents: 2n * CENT },
    ]);
    await change(1n);
    const ask = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 1n, maxOutputTokens: 0 };
    expect((await billing.admit(ask, callAs(customer.principal))).decision.case).toBe('refused');
    expect((await announced(owner)).map((e) => [e.thresholdPercent, e.usedMicrocents, e.limitMicrocents])).toEqual([
      [50, CENT, 2n * CENT],
      [80, 1_010_000n, CENT],
      [100, 1_010_000n, CENT],
    ]);
  });

  it.each([
    ['no ceiling', undefined],
    ['a ceiling far away', 1_000_000_000_000n],
  ])('emits no event for a tier with %s', async (_, spendLimitCents) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10_000_000_000n);
    const tier = { tierCode: 'wide', ...(spendLimitCents !== undefined && { spendLimitCents }) };
    const customer = await customerOn(billing, owner, tier);
    await use(customer.principal, 10_000n);
    expect(await percents(owner)).toEqual([]);
  });

  it('emits the event after a process died between the settlement and the announcement', async () => {
    const { owner, customer } = await onOneCent();
    await use(customer.principal, 5_000n);
    await announced(owner);
    // Restores the state that the settlement left.
    await harness.database.pool.query(
      `UPDATE usage_thresholds SET announced_at = NULL WHERE account_id IN (SELECT id FROM accounts WHERE ref_id = $1)`,
      [customer.id],
    );
    expect((await announced(owner)).length).toBe(2);
  });
});
