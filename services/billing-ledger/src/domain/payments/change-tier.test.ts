import { describe, expect, it } from '@jest/globals';
import { type ChangeSubscription, type ChangeTier, decideTierChange } from './change-tier.js';

const tier = (id: string, values: Partial<ChangeTier> = {}): ChangeTier => ({
  id,
  billingMode: 'subscription',
  priceCents: 0n,
  currency: null,
  hasProcessorPrice: false,
  priceSync: null,
  priceSyncFailure: null,
  isDefault: false,
  ...values,
});

const TIERS: Record<string, ChangeTier> = {
  free: tier('free', { isDefault: true }),
  trialFree: tier('trialFree'),
  paygo: tier('paygo', { billingMode: 'paygo' }),
  pro: tier('pro', { priceCents: 2_000n, hasProcessorPrice: true }),
  proTwin: tier('proTwin', { priceCents: 2_000n, hasProcessorPrice: true }),
  max: tier('max', { priceCents: 9_000n, hasProcessorPrice: true }),
  euro: tier('euro', { priceCents: 9_000n, currency: 'eur', hasProcessorPrice: true }),
  unpriced: tier('unpriced', { priceCents: 5_000n }),
};

const at = (name: string): ChangeTier => TIERS[name] ?? tier(name);
const free = (name: string, values: Partial<ChangeSubscription> = {}): ChangeSubscription => ({
  tier: at(name),
  status: 'active',
  billingProvider: null,
  processorSubscriptionId: null,
  isCancellationScheduled: false,
  ...values,
});
const paid = (name: string, values: Partial<ChangeSubscription> = {}): ChangeSubscription =>
  free(name, { billingProvider: 'stripe', processorSubscriptionId: 'sub_1', ...values });

describe('SPEC "Customer tier change"', () => {
  it.each<[string, ChangeSubscription, string, object]>([
    ['paid → paid, higher price', paid('pro'), 'max', { kind: 'reprice', action: 'upgraded' }],
    ['paid → paid, lower price', paid('max'), 'pro', { kind: 'reprice', action: 'downgraded' }],
    ['paid → paid, equal price', paid('pro'), 'proTwin', { kind: 'reprice', action: 'changed' }],
    ['free → paid', free('free'), 'pro', { kind: 'purchase' }],
    ['paid → the default free tier', paid('pro'), 'free', { kind: 'schedule_cancellation' }],
    ['free → free', free('free'), 'trialFree', { kind: 'switch' }],
    ['any → the tier already applied: free', free('free'), 'free', { kind: 'unchanged' }],
    ['any → the tier already applied: paid', paid('pro'), 'pro', { kind: 'unchanged' }],
    ['any → the tier already applied: PAYGO', free('paygo'), 'paygo', { kind: 'unchanged' }],
    [
      'late with the payment, paid → paid',
      paid('pro', { status: 'past_due' }),
      'max',
      { kind: 'reprice', action: 'upgraded' },
    ],
    ['ended, to the same paid tier', paid('pro', { status: 'canceled' }), 'pro', { kind: 'purchase' }],
    ['ended, to a free tier', paid('pro', { status: 'canceled' }), 'trialFree', { kind: 'switch' }],
  ])('decides the tier change: %s', (_, from, to, expected) => {
    expect(decideTierChange(from, TIERS[to])).toEqual(expected);
  });
});

describe('SPEC "Tier-change errors"', () => {
  it.each<[string, ChangeSubscription, string, string]>([
    ['INVALID_INPUT', free('paygo'), 'pro', 'paygo subscriptions do not support tier changes'],
    ['INVALID_INPUT', free('paygo'), 'free', 'paygo subscriptions do not support tier changes'],
    ['NOT_FOUND', free('free'), 'unknown', 'tier not found'],
    ['NOT_FOUND', paid('pro'), 'unknown', 'tier not found'],
    ['CONFLICT', free('free'), 'unpriced', 'tier has no billing pricing configured'],
    [
      'CONFLICT',
      paid('pro', { tier: { ...at('pro'), currency: 'usd' } }),
      'euro',
      'the subscription is paid in usd and the tier in eur; cancel the subscription and buy the tier when it has ended',
    ],
    ['CONFLICT', paid('pro'), 'unpriced', 'tier has no billing pricing configured'],
    ['CONFLICT', paid('pro', { isCancellationScheduled: true }), 'max', 'subscription is scheduled for cancellation'],
    ['CONFLICT', paid('pro', { isCancellationScheduled: true }), 'free', 'subscription is scheduled for cancellation'],
    [
      'CONFLICT',
      free('free', { isCancellationScheduled: true }),
      'trialFree',
      'subscription is scheduled for cancellation',
    ],
    ['CONFLICT', free('free', { isCancellationScheduled: true }), 'pro', 'subscription is scheduled for cancellation'],
    ['CONFLICT', paid('pro'), 'trialFree', 'paid subscriptions can only return to the project default tier'],
  ])('refuses the tier change with %s %#', (code, from, to, message) => {
    expect(decideTierChange(from, TIERS[to])).toEqual({ kind: 'refused', code, message });
  });

  it('points from free to pay-as-you-go at checkout and minting', () => {
    const change = decideTierChange(free('free'), at('paygo'));
    expect(change).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
    expect(change.kind === 'refused' && change.message).toMatch(/mint.*checkout/);
  });

  it('refuses to change a paid subscription that the processor does not bill', () => {
    const external = free('pro', { billingProvider: 'external' });
    expect(decideTierChange(external, at('max'))).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
      message: expect.stringContaining('billed by external'),
    });
  });
});
