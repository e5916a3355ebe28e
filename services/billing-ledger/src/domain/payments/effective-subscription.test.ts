import { describe, expect, it } from '@jest/globals';
import {
  effectiveSubscription,
  isEnded,
  isHeld,
  type ProcessorSubscription,
  surplusSubscriptions,
} from './effective-subscription.js';

const seen = (id: string, status: string, startedMs = 1): ProcessorSubscription => ({
  id,
  status,
  startedMs,
  tierId: `tier of ${id}`,
  processorCustomerId: 'cus_1',
  period: { startMs: 0, endMs: 10 },
});
const on = (processorSubscriptionId: string | null) => ({ processorSubscriptionId });

describe('effectiveSubscription', () => {
  it.each(['active', 'trialing', 'past_due', 'unpaid', 'paused'])(
    'follows a subscription that is %s instead of a free tier',
    (status) => {
      const bought = seen('a', status);
      expect(effectiveSubscription(on(null), [bought])).toEqual({ kind: 'follow', subscription: bought });
    },
  );

  it.each(['canceled', 'incomplete_expired'])(
    'falls back to the default tier when the customer’s subscription is %s',
    (status) => {
      const own = seen('a', status);
      expect(effectiveSubscription(on('a'), [own])).toEqual({ kind: 'fall_back', ended: own });
    },
  );

  it.each<[string, ReturnType<typeof on> | undefined, ProcessorSubscription[]]>([
    ['the end of a subscription that the customer left long ago', on(null), [seen('a', 'canceled')]],
    ['an unpaid subscription does not replace another', on(null), [seen('a', 'incomplete')]],
    ['the first payment of a stranger never came', undefined, [seen('a', 'incomplete_expired')]],
    ['nothing was ever bought', on(null), []],
  ])('changes nothing: %s', (_, current, all) => {
    expect(effectiveSubscription(current, all)).toEqual({ kind: 'keep' });
  });

  it('follows a subscription without its first payment if there is no other', () => {
    const pending = seen('a', 'incomplete');
    expect(effectiveSubscription(undefined, [pending])).toEqual({ kind: 'follow', subscription: pending });
    expect(effectiveSubscription(on('a'), [pending])).toEqual({ kind: 'follow', subscription: pending });
  });

  it('follows the newest in force, regardless of those that ended or started in between', () => {
    const [old, newest] = [seen('old', 'active', 1), seen('new', 'active', 2)];
    for (const order of [
      [old, newest, seen('gone', 'canceled', 3)],
      [seen('gone', 'canceled', 3), newest, old],
    ])
      expect(effectiveSubscription(on('old'), order)).toEqual({ kind: 'follow', subscription: newest });
  });

  it('returns all but the newest in force as surplus, and no ended ones', () => {
    const all = [seen('a', 'active', 1), seen('b', 'past_due', 3), seen('c', 'trialing', 2), seen('d', 'canceled', 4)];
    expect(surplusSubscriptions(all).map(({ id }) => id)).toEqual(['c', 'a']);
    expect(surplusSubscriptions([seen('a', 'active')])).toEqual([]);
  });

  it('counts subscriptions as bought twice if one page was open while the other was paid', () => {
    const hours = (count: number) => count * 3_600_000;
    const surplus = surplusSubscriptions([
      seen('a', 'active'),
      seen('b', 'active', hours(3)),
      seen('c', 'active', hours(27)),
    ]);
    expect(surplus).toEqual([
      { id: 'b', isBoughtTwice: true },
      { id: 'a', isBoughtTwice: false },
    ]);
  });
});

it.each([
  ['active', false, true],
  ['trialing', false, true],
  ['past_due', false, true],
  ['paused', false, true],
  ['incomplete', false, false],
  ['incomplete_expired', true, false],
  ['canceled', true, false],
])('reads the status %s', (status, hasEnded, isCustomers) => {
  expect([isEnded(status), isHeld(status)]).toEqual([hasEnded, isCustomers]);
});
