import { allowOnly, type Params, readGroup, readList, readMetadata, readNumber, readText } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { SessionPlan, WireSession } from '../wire.js';
import { buildPrice } from './prices.js';
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
  ...['expires_at', 'payment_method_types', 'adaptive_pricing', 'allow_promotion_codes'],
];

export function createSession(state: ProcessorState, params: Params): WireSession {
  allowOnly(params, KNOWN);
  const mode = readText(params, 'mode') as WireSession['mode'];
  if (!MODES.has(mode)) throw invalid('Invalid mode: must be one of payment, setup, or subscription', 'mode');
  const successUrl = readText(params, 'success_url');
  if (!successUrl) throw invalid('You must provide success_url.', 'success_url');
  if (mode === 'setup' && !readText(params, 'currency')) throw invalid('Missing required param: currency.', 'currency');
  const customer = readText(params, 'customer') ?? null;
  if (customer !== null) need(state, 'customer', customer, 'customer');
  const id = newId('cs_test');
  const plan = readPlan(state, id, mode, params);
  const now = seconds(state);
  const session: WireSession = {
    id,
    object: 'checkout.session',
    amount_total: mode === 'setup' ? null : plan.line.amount,
    cancel_url: readText(params, 'cancel_url') ?? null,
    client_reference_id: readText(params, 'client_reference_id') ?? null,
    created: now,
    currency: plan.line.currency,
    customer,
    customer_details: null,
    customer_email: readText(params, 'customer_email') ?? null,
    expires_at: readNumber(params, 'expires_at') ?? now + LIFETIME_SECONDS,
    livemode: false,
    mode,
    payment_intent: null,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: null,
    status: 'open',
    subscription: null,
    success_url: successUrl,
    url: null,
    metadata: readMetadata(params),
  };
  state.store.put(plan);
  return shown(state, state.store.put(session));
}

/** Returns the session with its current URL: after a restart, the fake may listen on another port. */
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

function readPlan(state: ProcessorState, id: string, mode: WireSession['mode'], params: Params): SessionPlan {
  const paymentData = readGroup(params, 'payment_intent_data');
  const saving = readGroup(params, 'saved_payment_method_options');
  return {
    id,
    object: 'double.session_plan',
    line: mode === 'setup' ? setupLine(params) : readLine(state, mode, params),
    trialDays: readNumber(readGroup(params, 'subscription_data'), 'trial_period_days'),
    subscriptionMetadata: readMetadata(readGroup(params, 'subscription_data')),
    paymentMetadata: readMetadata(paymentData),
    setupMetadata: readMetadata(readGroup(params, 'setup_intent_data')),
    offersToSave: readText(saving, 'payment_method_save') === 'enabled',
    savesAlways: readText(paymentData, 'setup_future_usage') !== undefined,
  };
}

function setupLine(params: Params): SessionPlan['line'] {
  const currency = readText(params, 'currency') ?? 'usd';
  return { name: 'Save a card', price: undefined, amount: 0, currency, interval: undefined };
}

function readLine(state: ProcessorState, mode: 'payment' | 'subscription', params: Params): SessionPlan['line'] {
  const item = readList(params, 'line_items')[0];
  if (typeof item !== 'object') throw invalid('Missing required param: line_items.', 'line_items');
  if (mode === 'subscription') {
    const price = recurringPrice(state, readText(item, 'price'), 'line_items[0][price]');
    const { currency, recurring, unit_amount } = price;
    const name = state.store.get('product', price.product)?.name ?? 'Subscription';
    return { name, price, amount: unit_amount ?? 0, currency, interval: recurring?.interval };
  }
  const data = readGroup(item, 'price_data');
  const currency = readText(data, 'currency');
  const amount = readNumber(data, 'unit_amount');
  if (!data || !currency || amount === undefined)
    throw invalid('Missing required param: line_items[0][price_data].', 'line_items[0][price_data]');
  const name = readText(readGroup(data, 'product_data'), 'name') ?? 'Payment';
  return { name, price: buildPrice(state, data, currency, amount), amount, currency, interval: undefined };
}
