import { describe, expect, it } from '@jest/globals';
import { COUNTER_ACCOUNTS } from './counter-accounts.js';
import { HOLD_STATES, type Hold, type HoldLeg, type HoldSnapshot } from './hold.js';
import { type Price, REQUEST_MICROCENTS_MAX, TOKENS_PER_CALL_MAX, type UsedUnits } from './price.js';
import { expireHold, isNothing, plausibleUse, settleHold, settleLost } from './settle-hold.js';
import type { LimitRole } from './subject.js';

const IMAGE_MICROCENTS = 1_000_000n;
const providerPrice = { inputPerMillionCents: 2n, outputPerMillionCents: 5n, perImageCents: 1n };
const customerPrice = { inputPerMillionCents: 3n, outputPerMillionCents: 10n, perImageCents: 2n };

const leg = (role: LimitRole, account: bigint, amount: bigint): HoldLeg => ({ role, account, amount });
const units = (inputTokens: bigint, outputTokens: bigint, images = 0n): UsedUnits => ({
  inputTokens,
  outputTokens,
  images,
});

/** Covers 10 tokens of input and 20 of output: 120 at the provider's price, 230 at the customer's. */
function createHold(legs: HoldLeg[], terms: Partial<Hold['terms']> = {}): Hold {
  return {
    holdId: 'h',
    ownerAccountId: 'o',
    revision: 0,
    terms: {
      requestId: 'r',
      projectId: 'p',
      customerId: undefined,
      customerExternalId: undefined,
      keyId: undefined,
      tierId: undefined,
      tierCode: undefined,
      modelId: 'm',
      customerPrice,
      providerPrice,
      windowStartMs: 0,
      inputTokensEstimate: 10,
      maxOutputTokens: 20,
      images: 0,
      ...terms,
    },
    legs,
  };
}

const LEGS = [leg('wallet', 2n, 130n), leg('allowance', 1n, 100n), leg('owner', 3n, 120n)];

describe('settleHold', () => {
  it('charges the customer its price and the owner the provider cost, and returns the rest', () => {
    expect(settleHold(createHold([leg('allowance', 1n, 230n), leg('owner', 3n, 120n)]), units(4n, 6n))).toEqual({
      state: HOLD_STATES.posted,
      used: units(4n, 6n),
      posted: [72n, 38n],
      transfers: [
        { debit: 1n, credit: COUNTER_ACCOUNTS.customerCharges, amount: 72n, kind: 'charge_allowance' },
        { debit: 3n, credit: COUNTER_ACCOUNTS.providerCost, amount: 38n, kind: 'provider_cost' },
      ],
      customerMicrocents: 72n,
      customerOverrunMicrocents: 0n,
      ownerMicrocents: 38n,
      overrunMicrocents: 0n,
      unreconciledMicrocents: 0n,
    });
  });

  it('uses up the allowance before the wallet, whatever the order of the legs', () => {
    expect(settleHold(createHold(LEGS), units(0n, 10n)).posted).toEqual([0n, 100n, 50n]);
    const settlement = settleHold(createHold(LEGS), units(0n, 12n));
    expect(settlement.posted).toEqual([20n, 100n, 60n]);
    expect(settlement.customerMicrocents).toBe(120n);
    expect(settlement.transfers.map(({ debit, amount, kind }) => [debit, amount, kind])).toEqual([
      [2n, 20n, 'charge_wallet'],
      [1n, 100n, 'charge_allowance'],
      [3n, 60n, 'provider_cost'],
    ]);
  });

  it('charges exactly the hold without an overrun', () => {
    expect(settleHold(createHold(LEGS), units(10n, 20n))).toMatchObject({
      posted: [130n, 100n, 120n],
      customerOverrunMicrocents: 0n,
      overrunMicrocents: 0n,
      transfers: expect.not.arrayContaining([expect.objectContaining({ debit: COUNTER_ACCOUNTS.overrun })]),
    });
  });

  it('records what exceeds the hold as overrun of customer and provider', () => {
    const settlement = settleHold(createHold(LEGS), units(11n, 20n));
    expect(settlement).toMatchObject({
      posted: [130n, 100n, 120n],
      customerMicrocents: 230n,
      customerOverrunMicrocents: 3n,
      ownerMicrocents: 120n,
      overrunMicrocents: 2n,
      unreconciledMicrocents: 0n,
    });
    const { overrun, customerCharges, providerCost } = COUNTER_ACCOUNTS;
    expect(settlement.transfers.slice(3)).toEqual([
      { debit: overrun, credit: customerCharges, amount: 3n, kind: 'overrun_customer' },
      { debit: overrun, credit: providerCost, amount: 2n, kind: 'overrun' },
    ]);
  });

  it('charges each limit of the owner the provider cost, and counts a request once', () => {
    const legs = [leg('key', 4n, 120n), leg('daily_cap', 5n, 30n), leg('quota', 6n, 7n), leg('owner', 3n, 120n)];
    const settlement = settleHold(createHold(legs, { customerPrice: undefined }), units(5n, 6n));
    expect(settlement.posted).toEqual([40n, 30n, 7n, 40n]);
    expect(settlement).toMatchObject({ customerMicrocents: 0n, customerOverrunMicrocents: 0n, ownerMicrocents: 40n });
    expect(settlement.transfers).toEqual([
      { debit: 4n, credit: COUNTER_ACCOUNTS.keySpend, amount: 40n, kind: 'key_spend' },
      { debit: 5n, credit: COUNTER_ACCOUNTS.dailySpend, amount: 30n, kind: 'daily_spend' },
      { debit: 6n, credit: COUNTER_ACCOUNTS.quotaUse, amount: 7n, kind: 'quota_use' },
      { debit: 3n, credit: COUNTER_ACCOUNTS.providerCost, amount: 40n, kind: 'provider_cost' },
    ]);
  });

  it('releases the hold and counts nothing when nothing was used', () => {
    const settlement = settleHold(createHold([...LEGS, leg('quota', 6n, 7n)]), units(0n, 0n));
    expect(settlement).toMatchObject({ state: HOLD_STATES.released, posted: [0n, 0n, 0n, 0n], transfers: [] });
  });

  it.each([units(1n, 0n), units(0n, 1n), units(0n, 0n, 1n)])('posts a hold of which anything was used: %j', (used) => {
    const legs = [leg('quota', 6n, 7n), leg('owner', 3n, 2n * IMAGE_MICROCENTS)];
    const settlement = settleHold(createHold(legs, { images: 2 }), used);
    expect(settlement.state).toBe(HOLD_STATES.posted);
    expect(settlement.posted[0]).toBe(7n);
    expect(settlement.ownerMicrocents).toBeGreaterThan(0n);
  });

  it('records the rest of the provider cost as unreconciled only when the report is in doubt', () => {
    expect(settleHold(createHold(LEGS), units(4n, 6n)).unreconciledMicrocents).toBe(0n);
    const settlement = settleHold(createHold(LEGS), units(4n, 6n), { isInDoubt: true });
    expect(settlement).toMatchObject({ state: HOLD_STATES.posted, ownerMicrocents: 38n, unreconciledMicrocents: 82n });
    expect(settlement.transfers.at(-1)).toEqual({
      debit: COUNTER_ACCOUNTS.unreconciled,
      credit: COUNTER_ACCOUNTS.providerCost,
      amount: 82n,
      kind: 'unreconciled',
    });
  });

  it('leaves nothing unreconciled when the report in doubt used the whole hold or more', () => {
    for (const used of [units(10n, 20n), units(20n, 20n)]) {
      const { unreconciledMicrocents, transfers } = settleHold(createHold(LEGS), used, { isInDoubt: true });
      expect([unreconciledMicrocents, transfers.filter(({ kind }) => kind === 'unreconciled')]).toEqual([0n, []]);
    }
  });

  it('subtracts an overrun from what is unreconciled when the owner was held for less than the bound', () => {
    const legs = [leg('owner', 3n, 20n)];
    expect(settleHold(createHold(legs), units(4n, 6n), { isInDoubt: true })).toMatchObject({
      ownerMicrocents: 20n,
      overrunMicrocents: 18n,
      unreconciledMicrocents: 82n,
    });
  });
});

describe('calls that were sent and never answered', () => {
  it.each([
    [0, false, 0n],
    [1, false, 120n],
    [2, false, 240n],
    [1, true, 202n],
    [-1, true, 82n],
    [1_000, false, 12_000n],
  ])('records the bound of %d calls, with a report in doubt: %s, as %d', (unansweredCalls, isInDoubt, amount) => {
    const settlement = settleHold(createHold(LEGS), units(4n, 6n), { isInDoubt, unansweredCalls });
    expect(settlement).toMatchObject({ ownerMicrocents: 38n, unreconciledMicrocents: amount });
  });
});

it('takes nothing that was served beyond the hold off the bound of a call without an answer', () => {
  const settlement = settleHold(createHold(LEGS), units(20n, 20n), { isInDoubt: true, unansweredCalls: 1 });
  expect(settlement.unreconciledMicrocents).toBe(120n);
});

describe('settleLost', () => {
  const { terms } = createHold([], { customerPrice });
  const { unreconciled, providerCost } = COUNTER_ACCOUNTS;

  it('charges no limit and records the provider cost as unreconciled', () => {
    expect(settleLost(terms, units(4n, 6n), { isInDoubt: false })).toEqual({
      state: HOLD_STATES.posted,
      used: units(4n, 6n),
      posted: [],
      transfers: [{ debit: unreconciled, credit: providerCost, amount: 38n, kind: 'unreconciled' }],
      customerMicrocents: 0n,
      customerOverrunMicrocents: 0n,
      ownerMicrocents: 0n,
      overrunMicrocents: 0n,
      unreconciledMicrocents: 38n,
    });
  });

  it('adds the rest of the hold in doubt, and the calls without an answer', () => {
    const amount = (doubt: Parameters<typeof settleLost>[2]) =>
      settleLost(terms, units(4n, 6n), doubt).unreconciledMicrocents;
    expect([amount({ isInDoubt: true }), amount({ isInDoubt: false, unansweredCalls: 1 })]).toEqual([120n, 158n]);
  });
});

describe('expireHold', () => {
  it('charges the recorded progress and records the rest as unreconciled', () => {
    expect(expireHold(createHold(LEGS), units(4n, 6n))).toMatchObject({
      state: HOLD_STATES.expired,
      posted: [0n, 72n, 38n],
      ownerMicrocents: 38n,
      unreconciledMicrocents: 82n,
    });
  });

  it('records the whole provider cost as unreconciled without any progress, extensions and images included', () => {
    const extensions = { 2: { inputTokens: 1, outputTokens: 2, heldMicrocents: '0' } };
    expect(expireHold(createHold(LEGS, { extensions, images: 1 }), units(0n, 0n))).toMatchObject({
      state: HOLD_STATES.expired,
      posted: [0n, 0n, 0n],
      unreconciledMicrocents: 120n + 12n + IMAGE_MICROCENTS,
    });
  });
});

it('returns whether nothing was used', () => {
  expect(isNothing(units(0n, 0n))).toBe(true);
  for (const used of [units(1n, 0n), units(0n, 1n), units(0n, 0n, 1n)]) expect(isNothing(used)).toBe(false);
});

const price = (inputPerMillionCents: bigint, outputPerMillionCents: bigint): Price => ({
  inputPerMillionCents,
  outputPerMillionCents,
  perImageCents: 4n,
});
const terms = {
  inputTokensEstimate: 10,
  maxOutputTokens: 90,
  images: 0,
  providerPrice: price(100n, 300n),
} as HoldSnapshot;
const used = (inputTokens: bigint, outputTokens: bigint, images = 0n) => ({ inputTokens, outputTokens, images });

describe('plausibleUse', () => {
  it.each([
    ['within the hold', used(10n, 20n)],
    ['beyond the hold', used(5_000n, 400n)],
    ['at the bound of a call', used(TOKENS_PER_CALL_MAX, TOKENS_PER_CALL_MAX)],
    ['of nothing', used(0n, 0n)],
  ])('keeps a report %s', (_, report) => {
    expect(plausibleUse(terms, report)).toEqual(report);
  });

  it.each([
    ['a quadrillion input tokens', used(10n ** 15n, 20n), used(10n, 20n)],
    ['the largest figures of the wire', used(2n ** 63n - 1n, 2n ** 63n - 1n), used(10n, 90n)],
    ['a negative figure', used(-5n, 20n), used(10n, 20n)],
    ['images that were not requested', used(10n, 20n, 2_000_000_000n), used(10n, 20n, 0n)],
  ])('replaces %s by the held figures', (_, report, settled) => {
    expect(plausibleUse(terms, report)).toMatchObject(settled);
  });

  it('counts a later model call of the turn as another call', () => {
    const extended = { ...terms, extensions: { 1: { inputTokens: 5, outputTokens: 5, heldMicrocents: '1' } } };
    const report = used(2n * TOKENS_PER_CALL_MAX, 20n);
    expect(plausibleUse(extended, report)).toEqual(report);
    expect(plausibleUse(extended, used(2n * TOKENS_PER_CALL_MAX + 1n, 20n))).toMatchObject(used(15n, 20n));
  });

  it('replaces a report whose cost is too high at the higher of both prices', () => {
    const dear = { ...terms, customerPrice: price(9_000_000_000n, 9_000_000_000n) };
    const report = used(REQUEST_MICROCENTS_MAX / 9_000_000_000n + 1n, 0n);
    expect(plausibleUse(terms, report)).toEqual(report);
    expect(plausibleUse(dear, report)).toMatchObject(used(10n, 0n));
  });
});
