import { allowOnly, type Params, readGroup, readText } from '../api/form-data.js';
import { invalid, ProcessorError } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WirePortalSession, WireSubscription } from '../wire.js';
import { attachCard } from './customers.js';
import { payInvoice } from './invoices.js';
import { updateSubscription } from './subscriptions.js';

/** A customer's page for cards, invoices and cancellation. */
export function createPortalSession(state: ProcessorState, params: Params): WirePortalSession {
  allowOnly(params, ['customer', 'return_url', 'flow_data']);
  const flow = readText(readGroup(params, 'flow_data'), 'type');
  if (flow !== undefined && flow !== 'payment_method_update')
    throw invalid('Invalid flow_data[type]', 'flow_data[type]');
  const id = newId('bps');
  return state.store.put({
    id,
    object: 'billing_portal.session',
    created: seconds(state),
    customer: need(state, 'customer', readText(params, 'customer') ?? '', 'customer').id,
    livemode: false,
    return_url: readText(params, 'return_url') ?? null,
    url: `${state.baseUrl()}/portal/${id}`,
  });
}

export function runningSubscriptions(state: ProcessorState, customer: string): WireSubscription[] {
  return state.store.all('subscription').filter((each) => each.customer === customer && each.ended_at === null);
}

/** Saves a card for all payments of the customer, and pays what is open with it. @throws ProcessorError 402 if it is declined */
export function changeCard(state: ProcessorState, customerId: string, card: string): void {
  const method = attachCard(state, card, customerId);
  const customer = need(state, 'customer', customerId);
  state.store.put({ ...customer, invoice_settings: { default_payment_method: method.id } });
  for (const subscription of runningSubscriptions(state, customerId)) {
    const changed = state.store.put({ ...subscription, default_payment_method: method.id });
    payOpenInvoices(state, changed, method.id);
  }
}

export function cancelRunning(state: ProcessorState, customerId: string): void {
  for (const { id } of runningSubscriptions(state, customerId))
    updateSubscription(state, id, { cancel_at_period_end: 'true' });
}

function payOpenInvoices(state: ProcessorState, subscription: WireSubscription, card: string): void {
  const open = state.store
    .all('invoice')
    .filter(({ status, parent }) => status === 'open' && parent.subscription_details.subscription === subscription.id);
  for (const invoice of open) {
    const failure = payInvoice(state, invoice, card);
    if (failure instanceof ProcessorError) throw failure;
  }
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return;
  const paid = state.store.put({ ...subscription, status: 'active' as const });
  emit(state, 'customer.subscription.updated', paid);
}
