import {
  allowOnly,
  type Params,
  readBoolean,
  readGroup,
  readList,
  readMetadata,
  readNumber,
  readText,
} from '../api/form-data.js';
import { invalid, ProcessorError } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type {
  Metadata,
  SubscriptionStatus,
  WireCustomer,
  WirePrice,
  WireSubscription,
  WireSubscriptionItem,
} from '../wire.js';
import { attachCard } from './customers.js';
import { invoiceNow } from './invoices.js';
import { periodEnd } from './periods.js';
import { changePrice } from './proration.js';

const DAY = 86_400;

export interface SubscriptionInput {
  customer: string;
  price: WirePrice;
  card: string | null;
  trialDays: number | undefined;
  metadata: Metadata;
}

export function createSubscription(state: ProcessorState, params: Params): WireSubscription {
  allowOnly(params, [
    ...['customer', 'items', 'default_payment_method', 'off_session', 'payment_behavior'],
    ...['metadata', 'trial_period_days'],
  ]);
  const customer = readText(params, 'customer') ?? '';
  need(state, 'customer', customer, 'customer');
  const item = readList(params, 'items')[0];
  const price = recurringPrice(
    state,
    typeof item === 'object' ? readText(item, 'price') : undefined,
    'items[0][price]',
  );
  const card = readText(params, 'default_payment_method') ?? null;
  const wish = {
    customer,
    price,
    card,
    trialDays: readNumber(params, 'trial_period_days'),
    metadata: readMetadata(params),
  };
  return startSubscription(state, wish);
}

export function recurringPrice(state: ProcessorState, id: string | undefined, param: string): WirePrice {
  if (id === undefined) throw invalid(`Missing required param: ${param}.`, param);
  const price = need(state, 'price', id, param);
  if (!price.active) throw invalid(`The price specified is inactive. This field only accepts active prices.`, param);
  if (!price.recurring) throw invalid(`The price ${id} is not recurring.`, param);
  return price;
}

/**
 * Starts a subscription, paid or on trial. @throws ProcessorError 402 when the first payment fails; nothing is created
 * then
 */
export function startSubscription(state: ProcessorState, wish: SubscriptionInput): WireSubscription {
  const now = seconds(state);
  const isTrial = (wish.trialDays ?? 0) > 0;
  const card = wish.card === null ? null : attachCard(state, wish.card, wish.customer).id;
  const subscription = draft(state, wish, card, now, isTrial);
  const { invoice, failure } = invoiceNow(state, {
    subscription,
    reason: 'subscription_create',
    amount: isTrial ? 0 : (wish.price.unit_amount ?? 0),
    description: isTrial ? 'Trial period' : 'Subscription',
    card,
  });
  if (failure) throw failure;
  const started = state.store.put({ ...subscription, latest_invoice: invoice.id });
  emit(state, 'customer.subscription.created', started);
  return started;
}

export function updateSubscription(state: ProcessorState, id: string, params: Params): WireSubscription {
  allowOnly(params, [
    ...['items', 'metadata', 'proration_behavior', 'payment_behavior', 'cancel_at_period_end'],
    ...['trial_end', 'default_payment_method', 'cancel_at'],
  ]);
  const before = need(state, 'subscription', id);
  if (before.status === 'canceled' || before.status === 'incomplete_expired')
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const item = readList(params, 'items')[0];
  const metadata = { ...before.metadata, ...readMetadata(params) };
  const card = readText(params, 'default_payment_method') ?? before.default_payment_method;
  let after: WireSubscription = { ...before, metadata, default_payment_method: card };
  if (typeof item === 'object') {
    const price = recurringPrice(state, readText(item, 'price'), 'items[0][price]');
    if (price.currency !== before.currency) throw invalid('You cannot combine currencies on a single subscription.');
    const id = readText(item, 'id');
    const changed = before.items.data.find((each) => each.id === id);
    if (id !== undefined && !changed) throw invalid('No such subscription item', 'items[0][id]');
    const behavior = readText(params, 'proration_behavior') ?? 'create_prorations';
    after = changed ? changePrice(state, after, { item: changed, price, behavior }) : addItem(state, after, price);
  }
  const trialEnd = readText(params, 'trial_end');
  if (trialEnd !== undefined && trialEnd !== 'now') throw invalid('Invalid trial_end: must be now', 'trial_end');
  if (trialEnd === 'now' && after.status === 'trialing') after = endTrial(state, after);
  const cancels = readBoolean(params, 'cancel_at_period_end');
  if (cancels !== undefined) {
    const end = after.items.data[0]?.current_period_end ?? null;
    after = {
      ...after,
      cancel_at_period_end: cancels,
      cancel_at: cancels ? end : null,
      canceled_at: cancels ? seconds(state) : null,
    };
  }
  if (params.cancel_at !== undefined) {
    const end = readNumber(params, 'cancel_at') ?? null;
    after = { ...after, cancel_at_period_end: false, cancel_at: end, canceled_at: end && seconds(state) };
  }
  state.store.put(after);
  emit(state, 'customer.subscription.updated', after);
  return after;
}

/** Adds another item to the bill. The newest is listed first. */
function addItem(state: ProcessorState, subscription: WireSubscription, price: WirePrice): WireSubscription {
  const [first] = subscription.items.data;
  const added = { ...(first as WireSubscriptionItem), id: newId('si'), created: seconds(state), price };
  return { ...subscription, items: { ...subscription.items, data: [added, ...subscription.items.data] } };
}

/** Ends a trial immediately: the first paid period starts now and is charged. */
function endTrial(state: ProcessorState, subscription: WireSubscription): WireSubscription {
  const now = seconds(state);
  const { items, amount } = nextPeriod({ ...subscription, billing_cycle_anchor: now }, now);
  const started = { ...subscription, items, trial_end: now, billing_cycle_anchor: now };
  const { invoice, failure } = invoiceNow(state, {
    subscription: started,
    reason: 'subscription_update',
    amount,
    description: 'Subscription',
    card: subscription.default_payment_method,
  });
  return { ...started, status: failure ? 'past_due' : 'active', latest_invoice: invoice.id };
}

/** Returns the items with their period that starts at `start`, and what they cost in it. */
export function nextPeriod(
  { items, billing_cycle_anchor: anchor }: WireSubscription,
  start: number,
): { items: WireSubscription['items']; amount: number } {
  const end = periodEnd(start, items.data[0]?.price.recurring?.interval ?? 'month', anchor);
  return {
    items: {
      ...items,
      data: items.data.map((item) => ({ ...item, current_period_start: start, current_period_end: end })),
    },
    amount: items.data.reduce((sum, { price }) => sum + (price.unit_amount ?? 0), 0),
  };
}

export function cancelSubscription(state: ProcessorState, id: string, params: Params): WireSubscription {
  allowOnly(params, ['prorate', 'invoice_now', 'cancellation_details']);
  if (readGroup(params, 'items')) throw invalid('Received unknown parameter: items', 'items');
  const subscription = need(state, 'subscription', id);
  if (subscription.status === 'canceled') throw new ProcessorError(404, notFound(id));
  return endSubscription(state, subscription, 'canceled');
}

export function endSubscription(
  state: ProcessorState,
  subscription: WireSubscription,
  status: 'canceled' | 'incomplete_expired',
): WireSubscription {
  const now = seconds(state);
  const ended = state.store.put({
    ...subscription,
    status,
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
  });
  emit(state, status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated', ended);
  return ended;
}

/** Deletes a customer as the dashboard does: its subscriptions are canceled, and only its id can be read. */
export function deleteCustomer(state: ProcessorState, id: string): WireCustomer {
  const customer = state.store.put({ ...need(state, 'customer', id), deleted: true as const });
  for (const subscription of state.store.all('subscription'))
    if (subscription.customer === id && subscription.ended_at === null)
      endSubscription(state, subscription, 'canceled');
  emit(state, 'customer.deleted', customer);
  return customer;
}

const EVENTS: Partial<Record<SubscriptionStatus, string>> = {
  canceled: 'customer.subscription.deleted',
  paused: 'customer.subscription.paused',
};

/** Makes a change that originates at the processor or in its dashboard: a failed payment, a pause, an end. */
export function setSubscriptionStatus(state: ProcessorState, id: string, status: SubscriptionStatus): WireSubscription {
  const subscription = need(state, 'subscription', id);
  if (status === 'canceled' || status === 'incomplete_expired') return endSubscription(state, subscription, status);
  const moved = state.store.put({ ...subscription, status });
  const isResumed = subscription.status === 'paused' && status === 'active';
  emit(state, EVENTS[status] ?? (isResumed ? 'customer.subscription.resumed' : 'customer.subscription.updated'), moved);
  return moved;
}

function draft(
  state: ProcessorState,
  wish: SubscriptionInput,
  card: string | null,
  now: number,
  isTrial: boolean,
): WireSubscription {
  const id = newId('sub');
  const trialEnd = isTrial ? now + (wish.trialDays ?? 0) * DAY : null;
  const interval = wish.price.recurring?.interval ?? 'month';
  return {
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: Math.floor(state.nowMs() / 1_000),
    currency: wish.price.currency,
    customer: wish.customer,
    default_payment_method: card,
    ended_at: null,
    items: {
      object: 'list',
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          created: now,
          current_period_start: now,
          current_period_end: trialEnd ?? periodEnd(now, interval),
          price: wish.price,
          quantity: 1,
          subscription: id,
          metadata: {},
        },
      ],
    },
    latest_invoice: null,
    livemode: false,
    start_date: now,
    status: isTrial ? 'trialing' : 'active',
    trial_end: trialEnd,
    trial_start: isTrial ? now : null,
    metadata: wish.metadata,
  };
}

function notFound(id: string) {
  return {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such subscription: '${id}'`,
    param: 'id',
  };
}
