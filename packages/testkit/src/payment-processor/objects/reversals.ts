import { allowOnly, metadataOf, numberOf, type Params, textOf } from '../api/form-data.js';
import { invalid, ProcessorError } from '../api/processor-error.js';
import type { WireCharge, WireDispute, WireRefund } from '../wire.js';
import { emit, need, newId, seconds, type World } from '../world.js';

/** Disputes that hold the payment's money. */
const TAKEN_BACK: ReadonlySet<WireDispute['status']> = new Set(['needs_response', 'under_review', 'lost']);

export function createRefund(world: World, params: Params): WireRefund {
  allowOnly(params, ['payment_intent', 'amount', 'reason', 'metadata']);
  const charge = chargeOf(world, textOf(params, 'payment_intent') ?? '');
  if (isChargedBack(world, charge))
    throw refused('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`);
  if (charge.refunded) throw refused('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  const left = charge.amount - charge.amount_refunded;
  const amount = numberOf(params, 'amount') ?? left;
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
  const refund: WireRefund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    status: 'succeeded',
    metadata: metadataOf(params),
  };
  world.store.put(refund);
  const after = setRefunded(world, charge, charge.amount_refunded + amount);
  emit(world, 'charge.refunded', after);
  emit(world, 'refund.created', refund);
  return refund;
}

function isChargedBack(world: World, charge: WireCharge): boolean {
  return world.store.all('dispute').some((dispute) => dispute.charge === charge.id && TAKEN_BACK.has(dispute.status));
}

function refused(code: string, message: string): ProcessorError {
  return new ProcessorError(400, { type: 'invalid_request_error', code, message });
}

/** What the bank of the payer does days later: the money comes back. */
export function failRefund(world: World, id: string): WireRefund {
  const refund = need(world, 'refund', id);
  const failed = world.store.put({ ...refund, status: 'failed' as const });
  const charge = need(world, 'charge', refund.charge);
  setRefunded(world, charge, charge.amount_refunded - refund.amount);
  emit(world, 'refund.failed', failed);
  return failed;
}

/** What a payer does at the bank: the money is taken back until somebody decides. */
export function openDispute(world: World, paymentIntent: string, amount?: number): WireDispute {
  const charge = chargeOf(world, paymentIntent);
  const dispute: WireDispute = {
    id: newId('du'),
    object: 'dispute',
    amount: amount ?? charge.amount,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    livemode: false,
    payment_intent: paymentIntent,
    reason: 'fraudulent',
    status: 'needs_response',
    metadata: {},
  };
  world.store.put(dispute);
  world.store.put({ ...charge, disputed: true });
  emit(world, 'charge.dispute.created', dispute);
  emit(world, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export function closeDispute(world: World, id: string, status: 'won' | 'lost'): WireDispute {
  const closed = world.store.put({ ...need(world, 'dispute', id), status });
  if (status === 'won') emit(world, 'charge.dispute.funds_reinstated', closed);
  emit(world, 'charge.dispute.closed', closed);
  return closed;
}

function chargeOf(world: World, paymentIntent: string): WireCharge {
  const intent = need(world, 'payment_intent', paymentIntent, 'payment_intent');
  if (intent.latest_charge === null)
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge.`, 'payment_intent');
  return need(world, 'charge', intent.latest_charge);
}

function setRefunded(world: World, charge: WireCharge, cents: number): WireCharge {
  return world.store.put({ ...charge, amount_refunded: cents, refunded: cents >= charge.amount });
}
