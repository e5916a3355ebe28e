import { allowOnly, type Params, readBoolean, readMetadata, readNumber, readText } from '../api/form-data.js';
import { declined, invalid } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { Metadata, WireCharge, WirePaymentIntent } from '../wire.js';
import { findDeclineCode, requirePaymentMethod } from './cards.js';

/** The processor's minimum charge, in US cents. */
const AMOUNT_MIN = 50;

export interface Charge {
  amount: number;
  currency: string;
  customer: string | null;
  /** A test token or a saved card. */
  card: string;
  description: string | null;
  metadata: Metadata;
}

export function createPaymentIntent(state: ProcessorState, params: Params): WirePaymentIntent {
  const known = [
    'amount',
    'currency',
    'customer',
    'payment_method',
    'off_session',
    'confirm',
    'description',
    'metadata',
  ];
  allowOnly(params, [...known, 'automatic_payment_methods', 'allowed_payment_method_types']);
  const amount = readNumber(params, 'amount');
  const currency = readText(params, 'currency');
  if (amount === undefined || !currency) throw invalid('Missing required param: amount, currency.', 'amount');
  if (amount < AMOUNT_MIN) throw invalid('Amount must be at least $0.50 usd', 'amount');
  const customer = readText(params, 'customer') ?? null;
  if (customer !== null) need(state, 'customer', customer, 'customer');
  const card = readText(params, 'payment_method');
  if (readBoolean(params, 'confirm') && card === undefined)
    throw invalid('You cannot confirm this PaymentIntent because it is missing a payment method.', 'payment_method');
  const description = readText(params, 'description') ?? null;
  const charge = { amount, currency, customer, card: card ?? '', description, metadata: readMetadata(params) };
  if (!readBoolean(params, 'confirm')) return state.store.put(buildIntent(state, charge));
  return chargeCard(state, charge);
}

/** Charges a card at once. @throws ProcessorError 402 with the failed intent, which stays on record */
export function chargeCard(state: ProcessorState, charge: Charge): WirePaymentIntent {
  const method = requirePaymentMethod(state, charge.card);
  if (method.customer !== null && method.customer !== charge.customer)
    throw invalid('The provided PaymentMethod belongs to another customer.', 'payment_method');
  const intent = { ...buildIntent(state, charge), payment_method: method.id };
  const declineCode = findDeclineCode(method);
  return declineCode === undefined ? succeed(state, intent) : fail(state, intent, declineCode);
}

/** Declines a payment, as a page does for a card that cannot be charged. */
export function recordDecline(state: ProcessorState, charge: Charge): WirePaymentIntent {
  const intent = { ...buildIntent(state, charge), ...toFailure('generic_decline') };
  state.store.put(intent);
  emit(state, 'payment_intent.payment_failed', intent);
  return intent;
}

/** Starts a payment whose money arrives later. */
export function startDelayed(state: ProcessorState, charge: Charge): WirePaymentIntent {
  const intent = state.store.put({ ...buildIntent(state, charge), status: 'processing' as const });
  emit(state, 'payment_intent.processing', intent);
  return intent;
}

export function endDelayed(state: ProcessorState, intent: WirePaymentIntent, outcome: 'paid' | 'failed'): void {
  if (outcome === 'paid') return void succeed(state, intent);
  const failed = state.store.put({ ...intent, ...toFailure('generic_decline') });
  emit(state, 'payment_intent.payment_failed', failed);
}

function buildIntent(state: ProcessorState, charge: Charge): WirePaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    amount: charge.amount,
    amount_received: 0,
    client_secret: `${id}_secret_${newId('x')}`,
    created: seconds(state),
    currency: charge.currency.toLowerCase(),
    customer: charge.customer,
    description: charge.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    payment_method: null,
    status: 'requires_payment_method',
    metadata: charge.metadata,
  };
}

function succeed(state: ProcessorState, intent: WirePaymentIntent): WirePaymentIntent {
  const id = newId('ch');
  const charge: WireCharge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: seconds(state),
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    livemode: false,
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    receipt_url: `${state.baseUrl()}/receipt/${id}`,
    refunded: false,
    status: 'succeeded',
    metadata: intent.metadata,
  };
  const paid = { ...intent, status: 'succeeded' as const, amount_received: intent.amount, latest_charge: charge.id };
  state.store.put(charge);
  state.store.put(paid);
  emit(state, 'payment_intent.succeeded', paid);
  emit(state, 'charge.succeeded', charge);
  return paid;
}

function fail(state: ProcessorState, intent: WirePaymentIntent, declineCode: string): never {
  const failed = { ...intent, payment_method: null, ...toFailure(declineCode) };
  state.store.put(failed);
  emit(state, 'payment_intent.payment_failed', failed);
  throw declined(declineCode, failed);
}

function toFailure(declineCode: string): Pick<WirePaymentIntent, 'status' | 'last_payment_error'> {
  const code = declineCode === 'authentication_required' ? declineCode : 'card_declined';
  const message = 'Your card was declined.';
  return {
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', code, decline_code: declineCode, message },
  };
}
