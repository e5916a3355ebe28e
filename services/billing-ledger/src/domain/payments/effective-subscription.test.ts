import { describe, expect, it } from '@jest/globals';
import { effectiveSubscription, type ProcessorSubscription, surplusSubscriptions } from './effective-subscription.js';

const seen = (id: string, status: string, startedMs = 1): ProcessorSubscription => ({
  id,
  status,
  startedMs,
  tierId: `tier of ${id}`,
  processorCustomerId: 'cus_1',
  period: { startMs: 0, endMs: 10 },
});
const on = (processorSubscriptionId: string | null) => ({ processorSubscriptionId });

describe('which subscription counts', () => {
  it.each(['active', 'trialing', 'past_due', 'unpaid', 'paused'])('one that is %s, over a free tier', (status) => {
    const bought = seen('a', status);
    expect(effectiveSubscription(on(null), [bought])).toEqual({ kind: 'follow', subscription: bought });
  });

  it.each(['canceled', 'incomplete_expired'])('when the customer’s own is %s: the default tier', (status) => {
    const own = seen('a', status);
    expect(effectiveSubscription(on('a'), [own])).toEqual({ kind: 'fall_back', ended: own });
  });

  it.each<[string, ReturnType<typeof on> | undefined, ProcessorSubscription[]]>([
    ['the end of a subscription that the customer left long ago', on(null), [seen('a', 'canceled')]],
    ['one that is not paid for yet takes nobody’s place', on(null), [seen('a', 'incomplete')]],
    ['the first payment of a stranger never came', undefined, [seen('a', 'incomplete_expired')]],
    ['nothing was ever bought', on(null), []],
  ])('nothing changes: %s', (_, current, all) => {
    expect(effectiveSubscription(current, all)).toEqual({ kind: 'keep' });
  });

  it('who has none shows the one that waits for its first payment, and follows it', () => {
    const pending = seen('a', 'incomplete');
    expect(effectiveSubscription(undefined, [pending])).toEqual({ kind: 'follow', subscription: pending });
    expect(effectiveSubscription(on('a'), [pending])).toEqual({ kind: 'follow', subscription: pending });
  });

  it('the newest in force counts whatever ended or came in between', () => {
    const [old, newest] = [seen('old', 'active', 1), seen('new', 'active', 2)];
    for (const order of [
      [old, newest, seen('gone', 'canceled', 3)],
      [seen('gone', 'canceled', 3), newest, old],
    ])
      expect(effectiveSubscription(on('old'), order)).toEqual({ kind: 'follow', subscription: newest });
  });

  it('a customer pays once: the older of several in force are surplus, ended ones are not', () => {
    const all = [seen('a', 'active', 1), seen('b', 'past_due', 3), seen('c', 'trialing', 2), seen('d', 'canceled', 4)];
    expect(surplusSubscriptions(all).map(({ id }) => id)).toEqual(['c', 'a']);
    expect(surplusSubscriptions([seen('a', 'active')])).toEqual([]);
  });
});
