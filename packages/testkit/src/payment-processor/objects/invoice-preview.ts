import { allowOnly, type Params, readGroup, readList, readText } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import { need, type ProcessorState, seconds } from '../processor-state.js';
import type { WireInvoice } from '../wire.js';
import { draftInvoice, pendingItems } from './invoices.js';
import { prorationItems } from './proration.js';
import { recurringPrice } from './subscriptions.js';

/**
 * Returns the invoice that a change of the price would lead to, and stores nothing. As at the processor, it also lists the
 * next regular payment where the period continues.
 */
export function previewInvoice(state: ProcessorState, params: Params): WireInvoice {
  allowOnly(params, ['subscription', 'subscription_details']);
  const subscription = need(state, 'subscription', readText(params, 'subscription') ?? '', 'subscription');
  const details = readGroup(params, 'subscription_details') ?? {};
  allowOnly(details, ['items', 'proration_behavior']);
  const change = readList(details, 'items')[0];
  const id = typeof change === 'object' ? readText(change, 'id') : undefined;
  const item = subscription.items.data.find((each) => each.id === id);
  if (typeof change !== 'object' || !item)
    throw invalid('No such subscription item', 'subscription_details[items][0][id]');
  const price = recurringPrice(state, readText(change, 'price'), 'subscription_details[items][0][price]');
  const startsOver = item.price.recurring?.interval !== price.recurring?.interval;
  const prorates = subscription.status !== 'trialing' && readText(details, 'proration_behavior') !== 'none';
  const made = prorates ? prorationItems(subscription, item, price, seconds(state), startsOver) : [];
  const lines = [...pendingItems(state, subscription.id), ...made];
  const amount = price.unit_amount ?? 0;
  const total = amount + lines.reduce((sum, line) => sum + line.amount, 0);
  const due = Math.max(0, total + need(state, 'customer', subscription.customer).balance);
  const input = { subscription, reason: 'subscription_update', amount, description: 'Subscription' } as const;
  return draftInvoice(state, input, lines, total, due);
}
