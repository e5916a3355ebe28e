import { newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WireInvoiceItem, WirePrice, WireSubscription, WireSubscriptionItem } from '../wire.js';
import { invoiceNow } from './invoices.js';
import { periodEnd } from './periods.js';

/**
 * Changes the price of an item of a running subscription. Credits the rest of the paid period and charges the new price for it: on
 * the next invoice, or at once with `always_invoice`. With another interval, a new period starts now.
 *
 * @throws ProcessorError 402 when the amount due now is not paid; nothing changes then
 */
export function changePrice(
  state: ProcessorState,
  subscription: WireSubscription,
  { item, price, behavior }: { item: WireSubscriptionItem; price: WirePrice; behavior: string },
): WireSubscription {
  if (item.price.id === price.id) return subscription;
  const now = seconds(state);
  const startsOver = item.price.recurring?.interval !== price.recurring?.interval;
  const isTrial = subscription.status === 'trialing';
  const prorates = behavior !== 'none' && !isTrial;
  const items = prorates ? prorationItems(subscription, item, price, now, startsOver) : [];
  for (const made of items) state.store.put(made);
  const interval = price.recurring?.interval ?? 'month';
  const period = startsOver && !isTrial ? { start: now, end: periodEnd(now, interval) } : undefined;
  const moved: WireSubscription = {
    ...subscription,
    ...(period && { billing_cycle_anchor: now }),
    items: {
      ...subscription.items,
      data: subscription.items.data.map((each) => ({
        ...each,
        ...(each.id === item.id && { price }),
        current_period_start: period?.start ?? each.current_period_start,
        current_period_end: period?.end ?? each.current_period_end,
      })),
    },
  };
  const isDueNow = !isTrial && (startsOver || behavior === 'always_invoice');
  if (!isDueNow) return moved;
  const { invoice, failure } = invoiceNow(state, {
    subscription: moved,
    reason: 'subscription_update',
    amount: startsOver ? (price.unit_amount ?? 0) : 0,
    description: 'Subscription',
    card: subscription.default_payment_method,
  });
  if (failure) {
    // Undoes the change: voids the invoice and its items.
    for (const made of items) state.store.put({ ...made, amount: 0, invoice: invoice.id });
    state.store.put({ ...invoice, status: 'void' as const });
    throw failure;
  }
  return { ...moved, latest_invoice: invoice.id };
}

/** Returns the credit for the rest of the period, and the charge of the new price for it. */
export function prorationItems(
  subscription: WireSubscription,
  item: WireSubscriptionItem,
  price: WirePrice,
  now: number,
  startsOver: boolean,
): WireInvoiceItem[] {
  const length = item.current_period_end - item.current_period_start;
  const left = Math.max(0, item.current_period_end - now) / length;
  const make = (amount: number, description: string): WireInvoiceItem => ({
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency: subscription.currency,
    customer: subscription.customer,
    description,
    invoice: null,
    proration: true,
    subscription: subscription.id,
  });
  const unused = make(-Math.round((item.price.unit_amount ?? 0) * left), 'Unused time on the former price');
  const remaining = make(Math.round((price.unit_amount ?? 0) * left), 'Remaining time on the new price');
  return startsOver ? [unused] : [unused, remaining];
}
