import { allowOnly, type Params, readMetadata, readNumber, readText } from '../api/form-data.js';
import { invalid, ProcessorError } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WireCharge, WireDispute, WireRefund } from '../wire.js';

/** Disputes that hold the payment's money. */
const TAKEN_BACK: ReadonlySet<WireDispute['status']> = new Set(['needs_response', 'under_review', 'lost']);

export function createRefund(state: ProcessorState, params: Params): WireRefund {
  allowOnly(params, ['payment_intent', 'amount', 'reason', 'metadata']);
  const charge = requireCharge(state, readText(params, 'payment_intent') ?? '');
  if (isChargedBack(state, charge))
    throw refused('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`);
  if (charge.refunded) throw refused('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  const left = charge.amount - charge.amount_refunded;
  const amount = readNumber(params, 'amount') ?? left;
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
  const refund: WireRefund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(state),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    status: 'succeeded',
    metadata: readMetadata(params),
  };
  state.store.put(refund);
  const after = setRefunded(state, charge, charge.amount_refunded + amount);
  emit(state, 'charge.refunded', after);
  emit(state, 'refund.created', refund);
  return refund;
}

function isChargedBack(state: ProcessorState, charge: WireCharge): boolean {
  return state.store.all('dispute').some((dispute) => dispute.charge === charge.id && TAKEN_BACK.has(dispute.status));
}

function refused(code: string, message: string): ProcessorError {
  return new ProcessorError(400, { type: 'invalid_request_error', code, message });
}

/** Fails a refund, as the payer's bank may do days later: the money is returned. */
export function failRefund(state: ProcessorState, id: string): WireRefund {
  const refund = need(state, 'refund', id);
  const failed = state.store.put({ ...refund, status: 'failed' as const });
  const charge = need(state, 'charge', refund.charge);
  setRefunded(state, charge, charge.amount_refunded - refund.amount);
  emit(state, 'refund.failed', failed);
  return failed;
}

/** Opens a dispute, as a payer does at the bank: the money is withdrawn until it is decided. */
export interface DisputeInput {
  /** Default: the whole charge. */
  amount?: number;
  /** The bank's currency. Default: the charge's. */
  currency?: string;
  /** The withdrawn amount, in the currency of the processor's balance; default: the amount. */
  withdrawn?: { amount: number; currency: string };
}

export function openDispute(state: ProcessorState, paymentIntent: string, input: DisputeInput = {}): WireDispute {
  const charge = requireCharge(state, paymentIntent);
  const { amount = charge.amount, currency = charge.currency } = input;
  const withdrawn = input.withdrawn ?? { amount, currency };
  const dispute: WireDispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [{ amount: -withdrawn.amount, currency: withdrawn.currency }],
    charge: charge.id,
    created: seconds(state),
    currency,
    livemode: false,
    payment_intent: paymentIntent,
    reason: 'fraudulent',
    status: 'needs_response',
    metadata: {},
  };
  state.store.put(dispute);
  state.store.put({ ...charge, disputed: true });
  emit(state, 'charge.dispute.created', dispute);
  emit(state, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export function closeDispute(state: ProcessorState, id: string, status: 'won' | 'lost'): WireDispute {
  const closed = state.store.put({ ...need(state, 'dispute', id), status });
  if (status === 'won') emit(state, 'charge.dispute.funds_reinstated', closed);
  emit(state, 'charge.dispute.closed', closed);
  return closed;
}

function requireCharge(state: ProcessorState, paymentIntent: string): WireCharge {
  const intent = need(state, 'payment_intent', paymentIntent, 'payment_intent');
  if (intent.latest_charge === null)
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge.`, 'payment_intent');
  return need(state, 'charge', intent.latest_charge);
}

function setRefunded(state: ProcessorState, charge: WireCharge, cents: number): WireCharge {
  return state.store.put({ ...charge, amount_refunded: cents, refunded: cents >= charge.amount });
}
