import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdmitResponse, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  type BillingClient,
  type CustomerOnTier,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

/** 10 tokens in and 90 out at 100 and 300 cents per million, in microcents. */
const HELD = 28_000n;
/** 10 tokens in and 10 out. */
const PAID = 4_000n;
const USAGE = { inputTokens: 10n, outputTokens: 10n };
const SUPERSEDE_ATTEMPTS_MAX = 10;

let harness: LedgerHarness;
/** Another replica. */
let other: BillingClient;
let owner: Principal;
let customer: CustomerOnTier;

beforeAll(async () => {
  harness = await startLedgerHarness('supersede');
  other = await harness.replica();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 1_000_000_000n);
  customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, 100n * HELD);
});

const admit = (holdId: string, at = harness.billing, values: object = {}): Promise<AdmitResponse> =>
  at.admit(
    { holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90, ...values },
    callAs(customer.principal),
  );
const settle = (holdId: string, usage: object = USAGE, at = harness.billing) =>
  at.settle({ holdId, usage }, callAs(customer.principal));

/** Repeats a call that waited too long for rows of the account, as callers do. */
async function supersede(...holdIds: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await harness.holds.supersedeHolds({ holdIds }, callAs(customer.principal));
      return;
    } catch (error) {
      if (attempt >= SUPERSEDE_ATTEMPTS_MAX || (error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error;
    }
  }
}

/** Expects sound books, nothing held, and that the customer has paid this much in all. */
async function expectPaid(microcents: bigint): Promise<void> {
  const balance = await harness.billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
  expect(balance).toMatchObject({ balanceMicrocents: 100n * HELD - microcents, reservedMicrocents: 0n });
  const verdict = await harness.billing.verifyLedger({}, callAs(owner));
  expect(verdict).toMatchObject({ differences: [], openHolds: 0n });
}

const ENDED = { case: 'admitted', value: { hasEnded: true, wasReleased: true } };

describe('an attempt that the ledger has not seen', () => {
  it('answers that the attempt has ended after it was superseded', async () => {
    const lost = randomUUID();
    await supersede(lost);
    expect((await admit(lost)).decision).toMatchObject(ENDED);
    await expectPaid(0n);
  });

  it('answers that the attempt has ended after the admission of the attempt that superseded it', async () => {
    const [lost, next] = [randomUUID(), randomUUID()];
    await admit(next, harness.billing, { supersedesHoldId: lost });
    expect((await admit(lost, other)).decision).toMatchObject(ENDED);
    await settle(next);
    await expectPaid(PAID);
  });

  it('answers that the attempt has ended after it was released', async () => {
    const lost = randomUUID();
    expect(await settle(lost, {})).toMatchObject({ outcome: SettleOutcome.RELEASED });
    expect(await settle(lost, {})).toMatchObject({ outcome: SettleOutcome.DUPLICATE });
    expect((await admit(lost, other)).decision).toMatchObject(ENDED);
    await expectPaid(0n);
  });

  it('stays unknown after a report of usage', async () => {
    expect(await settle(randomUUID())).toMatchObject({ outcome: SettleOutcome.UNKNOWN_REQUEST });
  });

  it('charges the customer nothing when its admission and its superseding race', async () => {
    const lost = Array.from({ length: 40 }, () => randomUUID());
    await Promise.all(lost.flatMap((id, i) => [admit(id, i % 2 ? other : harness.billing), supersede(id)]));
    await Promise.all(lost.map((id) => settle(id)));
    await expectPaid(0n);
  });
});

describe('superseding', () => {
  it('takes several attempts off the customer: open, settled, and never seen', async () => {
    const [open, settled, unseen] = [randomUUID(), randomUUID(), randomUUID()];
    await admit(open);
    await admit(settled);
    await settle(settled);
    await supersede(open, settled, unseen);
    await supersede(open, settled, unseen);
    expect(await settle(open, USAGE, other)).toMatchObject({ customerMicrocents: 0n, ownerMicrocents: PAID });
    await expectPaid(0n);
  });

  it('supersedes the old attempt although the new attempt is refused', async () => {
    const lost = randomUUID();
    await admit(lost);
    await settle(lost);
    const refused = await admit(randomUUID(), harness.billing, { supersedesHoldId: lost, model: 'none' });
    expect(refused.decision.case).toBe('refused');
    await expectPaid(0n);
  });

  it('rejects ids that are not UUIDs, and more of them than a request may have', async () => {
    await expect(supersede('nonsense')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(supersede(...new Array<string>(1_001).fill(randomUUID()))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('superseding by another account', () => {
  it('changes neither an open nor a settled hold', async () => {
    const [open, settled] = [randomUUID(), randomUUID()];
    await admit(open);
    await admit(settled);
    await settle(settled);
    await harness.holds.supersedeHolds({ holdIds: [open, settled] }, callAs(ownerPrincipal()));
    expect(await settle(open)).toMatchObject({ outcome: SettleOutcome.POSTED, customerMicrocents: PAID });
    await expectPaid(2n * PAID);
  });

  it('changes no part of a hold', async () => {
    const [whole, part] = [randomUUID(), randomUUID()];
    await admit(whole);
    await admit(part, harness.billing, { partOfHoldId: whole });
    await harness.holds.supersedeHolds({ holdIds: [whole] }, callAs(ownerPrincipal()));
    await settle(whole);
    await settle(part);
    await expectPaid(2n * PAID);
  });

  it('changes no hold when another account names it in an admission', async () => {
    const lost = randomUUID();
    await admit(lost);
    await settle(lost);
    const stranger = ownerPrincipal();
    await fundOwner(harness.billing, stranger, 1_000_000_000n);
    const req = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
    const { decision } = await harness.billing.admit({ ...req, supersedesHoldId: lost }, callAs(stranger));
    expect(decision.case).toBe('admitted');
    await expectPaid(PAID);
  });
});

describe('a part of an attempt', () => {
  const part = (
    wholeId: string,
    at = harness.billing,
  ): Promise<{ id: string; decision: AdmitResponse['decision'] }> => {
    const id = randomUUID();
    return admit(id, at, { partOfHoldId: wholeId }).then(({ decision }) => ({ id, decision }));
  };

  it('supersedes a part with the whole: settled, open, and not admitted yet', async () => {
    const whole = randomUUID();
    await admit(whole);
    const [settled, open] = [await part(whole), await part(whole, other)];
    await settle(settled.id);
    await supersede(whole);
    expect((await part(whole, other)).decision).toMatchObject(ENDED);
    await settle(open.id);
    await settle(whole);
    await expectPaid(0n);
  });

  it('charges a part with the whole when the attempt is not superseded', async () => {
    const whole = randomUUID();
    await admit(whole);
    const { id } = await part(whole);
    await settle(id);
    await settle(whole);
    await expectPaid(2n * PAID);
  });

  it('charges the customer nothing when the admission of a part and the superseding of the whole race', async () => {
    const wholes = Array.from({ length: 30 }, () => randomUUID());
    await Promise.all(wholes.map((id) => admit(id)));
    const parts = await Promise.all(
      wholes.flatMap((id, i) => [part(id, i % 2 ? other : harness.billing), supersede(id).then(() => undefined)]),
    );
    await Promise.all([...wholes, ...parts.flatMap((it) => (it ? [it.id] : []))].map((id) => settle(id)));
    await expectPaid(0n);
  });
});
