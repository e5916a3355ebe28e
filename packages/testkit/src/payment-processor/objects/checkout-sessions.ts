import { allowOnly, groupOf, listOf, metadataOf, numberOf, type Params, textOf } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { SessionPlan, WireSession } from '../wire.js';
import { priceOf } from './prices.js';
import { recurringPrice } from './subscriptions.js';

const LIFETIME_SECONDS = 86_400;
const MODES = new Set(['payment', 'setup', 'subscription']);

const KNOWN = [
  ...[
    'mode',
    'line_items',
    'success_url',
    'cancel_url',
    'client_reference_id',
    'metadata',
    'customer',
    'customer_email',
  ],
  ...['currency', 'subscription_data', 'payment_intent_data', 'setup_intent_data', 'saved_payment_method_options'],
  'expires_at',
];

export function createSession(state: ProcessorState, params: Params): WireSession {
  allowOnly(params, KNOWN);
  const mode = textOf(params, 'mode') as WireSession['mode'];
  if (!MODES.has(mode)) throw invalid('Invalid mode: must be one of payment, setup, or subscription', 'mode');
  const successUrl = textOf(params, 'success_url');
  if (!successUrl) throw invalid('You must provide success_url.', 'success_url');
  if (mode === 'setup' && !textOf(params, 'currency')) throw invalid('Missing required param: currency.', 'currency');
  const customer = textOf(params, 'customer') ?? null;
  if (customer !== null) need(state, 'customer', customer, 'customer');
  const id = newId('cs_test');
  const plan = planOf(state, id, mode, params);
  const now = seconds(state);
  const session: WireSession = {
    id,
    object: 'checkout.session',
    amount_total: mode === 'setup' ? null : plan.line.amount,
    cancel_url: textOf(params, 'cancel_url') ?? null,
    client_reference_id: textOf(params, 'client_reference_id') ?? null,
    created: now,
    currency: plan.line.currency,
    customer,
    customer_details: null,
    customer_email: textOf(params, 'customer_email') ?? null,
    expires_at: numberOf(params, 'expires_at') ?? now + LIFETIME_SECONDS,
    livemode: false,
    mode,
    payment_intent: null,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: null,
    status: 'open',
    subscription: null,
    success_url: successUrl,
    url: null,
    metadata: metadataOf(params),
  };
  state.store.put(plan);
  return shown(state, state.store.put(session));
}

/** With the address at which it is open now: another start of the double may listen on another port. */
export function shown(state: ProcessorState, session: WireSession): WireSession {
  return session.status === 'open' ? { ...session, url: `${state.baseUrl()}/pay/${session.id}` } : session;
}

export function expireSession(state: ProcessorState, id: string): WireSession {
  const session = need(state, 'checkout.session', id);
  if (session.status !== 'open')
    throw invalid(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`);
  const expired = state.store.put({ ...session, status: 'expired' as const, url: null });
  emit(state, 'checkout.session.expired', expired);
  return expired;
}

function planOf(state: ProcessorState, id: string, mode: WireSession['mode'], params: Params): SessionPlan {
  const paymentData = groupOf(params, 'payment_intent_data');
  const saving = groupOf(params, 'saved_payment_method_options');
  return {
    id,
    object: 'double.session_plan',
    line: mode === 'setup' ? setupLine(params) : lineOf(state, mode, params),
    trialDays: numberOf(groupOf(params, 'subscription_data'), 'trial_period_days'),
    subscriptionMetadata: metadataOf(groupOf(params, 'subscription_data')),
    paymentMetadata: metadataOf(paymentData),
    setupMetadata: metadataOf(groupOf(params, 'setup_intent_data')),
    offersToSave: textOf(saving, 'payment_method_save') === 'enabled',
    savesAlways: textOf(paymentData, 'setup_future_usage') !== undefined,
  };
}

function setupLine(params: Params): SessionPlan['line'] {
  const currency = textOf(params, 'currency') ?? 'usd';
  return { name: 'Save a card', price: undefined, amount: 0, currency, interval: undefined };
}

function lineOf(state: ProcessorState, mode: 'payment' | 'subscription', params: Params): SessionPlan['line'] {
  const item = listOf(params, 'line_items')[0];
  if (typeof item !== 'object') throw invalid('Missing required param: line_items.', 'line_items');
  if (mode === 'subscription') {
    const price = recurringPrice(state, textOf(item, 'price'), 'line_items[0][price]');
    const { currency, recurring, unit_amount } = price;
    return { name: 'Subscription', price, amount: unit_amount ?? 0, currency, interval: recurring?.interval };
  }
  const data = groupOf(item, 'price_data');
  const currency = textOf(data, 'currency');
  const amount = numberOf(data, 'unit_amount');
  if (!data || !currency || amount === undefined)
    throw invalid('Missing required param: line_items[0][price_data].', 'line_items[0][price_data]');
  const name = textOf(groupOf(data, 'product_data'), 'name') ?? 'Payment';
  return { name, price: priceOf(state, data, currency, amount), amount, currency, interval: undefined };
}
