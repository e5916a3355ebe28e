import { describe, expect, it } from '@jest/globals';
import { type AutoTopUpState, amountFault, autoTopUpFault, backoffMs, topUpNeed } from './auto-top-up.js';

const LIMITS = { minCents: 500n, maxSingleCents: 10_000n, maxDailyCents: 20_000n, maxMonthlyCents: 50_000n };
const STATE: AutoTopUpState = {
  isEnabled: true,
  thresholdCents: 1_000n,
  amountCents: 5_000n,
  cardId: 'pm_1',
  nextAttemptMs: undefined,
};
const NONE = { todayCents: 0n, monthCents: 0n };
const CENT = 1_000_000n;

describe('an automatic top-up', () => {
  const due = (cents: bigint) => ({ kind: 'due' as const, cents });
  const none = { kind: 'none' as const };
  const limited = { kind: 'limited' as const };
  it.each<[string, ReturnType<typeof topUpNeed>, Partial<AutoTopUpState>, bigint, typeof NONE]>([
    ['below the threshold', due(5_000n), {}, 999n * CENT, NONE],
    ['one microcent below', due(5_000n), {}, 1_000n * CENT - 1n, NONE],
    ['below zero', due(5_000n), {}, -5n * CENT, NONE],
    ['far below the threshold: a multiple', due(2_000n), { amountCents: 500n, thresholdCents: 2_000n }, 1n, NONE],
    ['of an exact multiple', due(1_500n), { amountCents: 500n, thresholdCents: 2_000n }, 500n * CENT, NONE],
    ['at the threshold: not', none, {}, 1_000n * CENT, NONE],
    ['switched off: not', none, { isEnabled: false }, 0n, NONE],
    ['without a card: not', none, { cardId: null }, 0n, NONE],
    ['while a failed card rests: not', none, { nextAttemptMs: 101 }, 0n, NONE],
    ['when the rest is over', due(5_000n), { nextAttemptMs: 100 }, 0n, NONE],
    ['up to the daily limit', due(5_000n), {}, 0n, { todayCents: 15_000n, monthCents: 15_000n }],
    ['over the daily limit: not', limited, {}, 0n, { todayCents: 15_001n, monthCents: 15_001n }],
    ['over the monthly limit: not', limited, {}, 0n, { todayCents: 0n, monthCents: 45_001n }],
    ['over the single limit: not', limited, { amountCents: 10_001n }, 0n, NONE],
    ['under the least amount: not', limited, { amountCents: 499n }, 0n, NONE],
    ['in debt beyond the single limit: as much as it allows', due(10_000n), {}, -20_000n * CENT, NONE],
    [
      'near the daily limit: what is left',
      due(1_000n),
      { amountCents: 500n },
      -9_000n * CENT,
      { todayCents: 18_600n, monthCents: 0n },
    ],
  ])('decides whether it is due and how large it is: %s', (_, expected, values, balance, spent) => {
    expect(
      topUpNeed({ state: { ...STATE, ...values }, balanceMicrocents: balance, spent, limits: LIMITS, nowMs: 100 }),
    ).toEqual(expected);
  });
});

describe('settings', () => {
  const wish = { thresholdCents: 0n, amountCents: 500n };
  it.each([
    ['the least amount', wish, undefined],
    ['the most', { ...wish, amountCents: 10_000n }, undefined],
    ['too little', { ...wish, amountCents: 499n }, 'amount_cents'],
    ['too much', { ...wish, amountCents: 10_001n }, 'amount_cents'],
    ['a threshold below zero', { ...wish, thresholdCents: -1n }, 'threshold_cents'],
    ['nothing', { ...wish, amountCents: 0n }, 'amount_cents'],
    ['a threshold that one charge reaches', { thresholdCents: 10_000n, amountCents: 500n }, undefined],
    ['a threshold that no single charge reaches', { thresholdCents: 10_001n, amountCents: 500n }, 'threshold_cents'],
    ['a threshold whose multiple is too large', { thresholdCents: 9_001n, amountCents: 3_000n }, 'threshold_cents'],
  ])('checks the settings against the limits: %s', (_, values, field) => {
    expect(autoTopUpFault(values, LIMITS)?.field).toBe(field);
  });

  it('names the bounds of an amount', () => {
    expect(amountFault('amount_cents', 1n, LIMITS)).toEqual({ field: 'amount_cents', message: 'must be 500 to 10000' });
  });
});

it('pauses longer after each failure, up to six hours', () => {
  expect([1, 2, 3, 4, 5, 99].map((n) => backoffMs(n) / 60_000)).toEqual([1, 5, 25, 125, 360, 360]);
});
