import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type HoldClient,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;

beforeAll(async () => {
  harness = await startLedgerHarness('extend');
});
afterAll(() => harness.stop());

/** 10 tokens in at 100 and at most 90 out at 300, and a later call of 50 in and 50 out. */
const HELD = 10n * 100n + 90n * 300n;
const ADDED = 50n * 100n + 50n * 300n;
const FURTHER = { inputTokensEstimate: 50n, maxOutputTokens: 50 };

async function admitted(principal: Principal): Promise<string> {
  const holdId = randomUUID();
  const req = { holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
  const { decision } = await harness.billing.admit(req, callAs(principal));
  expect(decision.case).toBe('admitted');
  return holdId;
}

function extend(principal: Principal, holdId: string, extension = 1, holds: HoldClient = harness.holds, values = {}) {
  return holds.extendHold({ holdId, extension, ...FURTHER, ...values }, callAs(principal));
}

async function onPaygo(walletMicrocents: bigint) {
  const owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 10_000_000_000n);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, walletMicrocents);
  const balance = async () => {
    const { balanceMicrocents, reservedMicrocents } = await harness.billing.getCustomerBalance(
      { customerId: customer.id },
      callAs(owner),
    );
    return [balanceMicrocents, reservedMicrocents];
  };
  return { owner, customer, balance };
}

async function expectConsistent(owner: Principal, openHolds: bigint) {
  expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [], openHolds });
}

describe('an extension of a hold', () => {
  it('holds more under the same limits, and the settlement charges the sum', async () => {
    const { owner, customer, balance } = await onPaygo(HELD + ADDED);
    const holdId = await admitted(customer.principal);
    const { decision } = await extend(customer.principal, holdId);
    expect(decision).toMatchObject({
      case: 'admitted',
      value: { modelId: ECHO, maxOutputTokens: 50, heldMicrocents: 2n * (HELD + ADDED) },
    });
    expect(await balance()).toEqual([HELD + ADDED, HELD + ADDED]);
    const usage = { inputTokens: 60n, outputTokens: 140n };
    const result = await harness.billing.settle({ holdId, usage }, callAs(customer.principal));
    expect(result).toMatchObject({ outcome: SettleOutcome.POSTED, customerMicrocents: HELD + ADDED });
    expect(result.overrunMicrocents).toBe(0n);
    expect(await balance()).toEqual([0n, 0n]);
    await expectConsistent(owner, 0n);
  });

  it('does not change the hold when it is refused', async () => {
    const { owner, customer, balance } = await onPaygo(HELD + ADDED - 1n);
    const holdId = await admitted(customer.principal);
    expect((await extend(customer.principal, holdId)).decision).toMatchObject({
      case: 'refused',
      value: { code: 'WALLET_EMPTY' },
    });
    expect(await balance()).toEqual([HELD + ADDED - 1n, HELD]);
    await expectConsistent(owner, 1n);
    await fundWallet(harness.billing, owner, customer.id, 1n);
    expect((await extend(customer.principal, holdId)).decision.case).toBe('admitted');
    await expectConsistent(owner, 1n);
  });

  it('holds nothing of the customer when the owner does not cover it', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, HELD);
    const customer = await customerOn(harness.billing, owner, { tierCode: 'free' });
    const holdId = await admitted(customer.principal);
    const { decision } = await extend(customer.principal, holdId);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
    await expectConsistent(owner, 1n);
  });

  it('counts once for repeated and concurrent calls on several replicas', async () => {
    const { owner, customer, balance } = await onPaygo(HELD + 2n * ADDED);
    const holdId = await admitted(customer.principal);
    const other = (await harness.replicaNetwork()).client(HoldService);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => extend(customer.principal, holdId, 1, i % 2 ? other : harness.holds)),
    );
    expect(new Set(answers.map(({ decision }) => JSON.stringify(decision, bigints))).size).toBe(1);
    expect(await balance()).toEqual([HELD + 2n * ADDED, HELD + ADDED]);
    expect((await extend(customer.principal, holdId, 2)).decision.case).toBe('admitted');
    expect((await extend(customer.principal, holdId, 1)).decision).toEqual(answers[0]?.decision);
    expect((await extend(customer.principal, holdId, 3)).decision.case).toBe('refused');
    await expectConsistent(owner, 1n);
  });

  it('admits exactly what the funds cover for many concurrent turns', async () => {
    const { owner, customer } = await onPaygo(30n * HELD + 7n * ADDED);
    const ids = await Promise.all(Array.from({ length: 30 }, () => admitted(customer.principal)));
    const other = (await harness.replicaNetwork()).client(HoldService);
    const answers = await Promise.all(
      ids.map((id, i) => extend(customer.principal, id, 1, i % 2 ? other : harness.holds)),
    );
    expect(answers.filter(({ decision }) => decision.case === 'admitted')).toHaveLength(7);
    await expectConsistent(owner, 30n);
  });

  it('settles in full on the admitting replica after an extension on another one', async () => {
    const { owner, customer, balance } = await onPaygo(HELD + ADDED);
    const holdId = await admitted(customer.principal);
    const other = (await harness.replicaNetwork()).client(HoldService);
    expect((await extend(customer.principal, holdId, 1, other)).decision.case).toBe('admitted');
    const usage = { inputTokens: 60n, outputTokens: 100n };
    await harness.billing.settle({ holdId, usage }, callAs(customer.principal));
    expect(await balance()).toEqual([HELD + ADDED - 60n * 100n - 100n * 300n, 0n]);
    await expectConsistent(owner, 0n);
  });

  it('cuts the extension to the funds when no maximum is named', async () => {
    const { customer } = await onPaygo(HELD + 50n * 100n + 400n * 300n);
    const holdId = await admitted(customer.principal);
    const { decision } = await extend(customer.principal, holdId, 1, harness.holds, { maxOutputTokens: undefined });
    expect(decision).toMatchObject({ case: 'admitted', value: { maxOutputTokens: 400 } });
  });

  it.each([
    ['was settled', async (holdId: string, as: Principal) => void (await settleAs(holdId, as))],
    ['never was', async () => undefined],
  ])('answers NOT_FOUND for a hold that %s', async (_, end) => {
    const { customer } = await onPaygo(HELD + ADDED);
    let holdId: string = randomUUID();
    if (_ === 'was settled') holdId = await admitted(customer.principal);
    await end(holdId, customer.principal);
    await expect(extend(customer.principal, holdId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('charges the recorded progress at expiry and reports the extension as unreconciled', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, HELD + ADDED);
    const hasty = await harness.replicaNetwork({ HOLD_TTL: '150ms' });
    const holdId = randomUUID();
    const req = { holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
    await hasty.client(BillingService).admit(req, callAs(owner));
    expect((await extend(owner, holdId, 1, hasty.client(HoldService))).decision.case).toBe('admitted');
    await hasty
      .client(BillingService)
      .recordProgress({ holdId, usage: { inputTokens: 10n, outputTokens: 90n } }, callAs(owner));
    const countOpen = async () => (await harness.billing.verifyLedger({}, callAs(owner))).openHolds;
    await waitUntil(async () => (await countOpen()) === 0n, { what: 'the expiry' });
    expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      unreconciledMicrocents: ADDED,
    });
    expect((await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(ADDED);
  });

  it('holds nothing of the customer of a superseded attempt', async () => {
    const { owner, customer, balance } = await onPaygo(2n * HELD);
    const lost = await admitted(customer.principal);
    const next = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
    await harness.billing.admit({ ...next, supersedesHoldId: lost }, callAs(customer.principal));
    expect((await extend(customer.principal, lost)).decision.case).toBe('admitted');
    expect(await balance()).toEqual([2n * HELD, HELD]);
    await expectConsistent(owner, 2n);
  });
});

function settleAs(holdId: string, principal: Principal) {
  return harness.billing.settle({ holdId, usage: { inputTokens: 1n, outputTokens: 1n } }, callAs(principal));
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
