import { emit, type ProcessorState, seconds } from '../processor-state.js';
import type { WireSubscription } from '../wire.js';
import { invoiceNow } from './invoices.js';
import { endSubscription, nextPeriod } from './subscriptions.js';

const RUNNING = new Set(['trialing', 'active', 'past_due']);

/**
 * Processes everything that is due: pages expire, trials and periods end, renewals are charged, canceled subscriptions
 * end.
 */
export function passTime(state: ProcessorState): void {
  const now = seconds(state);
  for (const session of state.store.all('checkout.session')) {
    if (session.status !== 'open' || session.expires_at > now) continue;
    const expired = state.store.put({ ...session, status: 'expired' as const, url: null });
    emit(state, 'checkout.session.expired', expired);
  }
  for (const subscription of state.store.all('subscription')) {
    let current: WireSubscription | undefined = subscription;
    while (current && isDue(current, now)) current = renew(state, current);
  }
}

function isDue(subscription: WireSubscription, now: number): boolean {
  const end = subscription.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
  return RUNNING.has(subscription.status) && end <= now;
}

/** Undefined: it has ended. */
function renew(state: ProcessorState, subscription: WireSubscription): WireSubscription | undefined {
  if (subscription.cancel_at_period_end) {
    endSubscription(state, subscription, 'canceled');
    return undefined;
  }
  const start = subscription.items.data[0]?.current_period_end ?? 0;
  const { items, amount } = nextPeriod(subscription, start);
  const moved: WireSubscription = { ...subscription, items };
  const { invoice, failure } = invoiceNow(state, {
    subscription: moved,
    reason: 'subscription_cycle',
    amount,
    description: 'Subscription',
    card: subscription.default_payment_method,
  });
  const renewed = state.store.put({
    ...moved,
    status: failure ? ('past_due' as const) : ('active' as const),
    latest_invoice: invoice.id,
  });
  emit(state, 'customer.subscription.updated', renewed);
  return renewed;
}
