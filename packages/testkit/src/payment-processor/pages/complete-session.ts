import { invalid } from '../api/processor-error.js';
import { attachCard, createCustomer } from '../objects/customers.js';
import { chargeCard, endDelayed, recordDecline, startDelayed } from '../objects/payment-intents.js';
import { confirmSetupIntent, setupIntentFor } from '../objects/setup-intents.js';
import { startSubscription } from '../objects/subscriptions.js';
import { emit, need, type ProcessorState } from '../processor-state.js';
import type { SessionPlan, WireSession } from '../wire.js';

export interface Payer {
  /** A test token, see cards.ts. */
  card: string;
  email: string | undefined;
  savesCard: boolean;
  /** A bank debit: the page is complete, the money arrives or fails days later. */
  isDelayed?: boolean;
}

/** Completes the session as the page does when its payer pays. @throws ProcessorError 402 for a declined card: the page stays open */
export function completeSession(state: ProcessorState, id: string, payer: Payer): WireSession {
  const session = need(state, 'checkout.session', id);
  if (session.status !== 'open') throw invalid(`This Checkout Session is ${session.status}.`);
  const plan = need(state, 'double.session_plan', id);
  const email = findEmail(state, session, payer);
  const customer = session.customer ?? newCustomer(state, session, email);
  const outcome = performSession(state, session, plan, { ...payer, customer });
  const done = state.store.put({
    ...session,
    ...outcome,
    customer,
    customer_details: { email, name: null },
    status: 'complete' as const,
  });
  emit(state, 'checkout.session.completed', done);
  return done;
}

/** A card that is refused on the page. */
export function declineSession(state: ProcessorState, id: string): void {
  const session = need(state, 'checkout.session', id);
  const { line, paymentMetadata } = need(state, 'double.session_plan', id);
  if (session.mode !== 'payment') return;
  recordDecline(state, {
    amount: line.amount,
    currency: line.currency,
    customer: session.customer,
    card: '',
    description: line.name,
    metadata: paymentMetadata,
  });
}

function findEmail(state: ProcessorState, session: WireSession, payer: Payer): string | null {
  const known = session.customer === null ? null : need(state, 'customer', session.customer).email;
  const email = known ?? payer.email ?? session.customer_email;
  if (!email && session.customer === null && session.mode === 'subscription')
    throw invalid('Enter your email.', 'email');
  return email ?? null;
}

/** The processor creates a customer for every subscription; other payers without an account stay guests. */
function newCustomer(state: ProcessorState, session: WireSession, email: string | null): string | null {
  if (session.mode !== 'subscription') return null;
  return createCustomer(state, { email: email ?? '' }).id;
}

function performSession(
  state: ProcessorState,
  session: WireSession,
  plan: SessionPlan,
  payer: Payer & { customer: string | null },
): Partial<WireSession> {
  const { card, customer } = payer;
  if (session.mode === 'setup') {
    const intent = setupIntentFor(state, customer, plan.setupMetadata);
    return { setup_intent: confirmSetupIntent(state, intent.id, { payment_method: card }).id };
  }
  if (session.mode === 'subscription' && plan.line.price && customer !== null) {
    const { trialDays, subscriptionMetadata: metadata } = plan;
    const started = startSubscription(state, { customer, price: plan.line.price, card, trialDays, metadata });
    return { subscription: started.id, payment_status: trialDays ? 'no_payment_required' : 'paid' };
  }
  const saves = customer !== null && (plan.savesAlways || (plan.offersToSave && payer.savesCard));
  const charge = {
    amount: plan.line.amount,
    currency: plan.line.currency,
    customer,
    card: saves ? attachCard(state, card, customer).id : card,
    description: plan.line.name,
    metadata: plan.paymentMetadata,
  };
  if (payer.isDelayed) return { payment_intent: startDelayed(state, charge).id, payment_status: 'unpaid' };
  return { payment_intent: chargeCard(state, charge).id, payment_status: 'paid' };
}

/** Ends the delayed payment of a complete session, as the payer's bank does days later. */
export function endDelayedPayment(state: ProcessorState, sessionId: string, outcome: 'paid' | 'failed'): void {
  const session = need(state, 'checkout.session', sessionId);
  endDelayed(state, need(state, 'payment_intent', session.payment_intent ?? ''), outcome);
  if (outcome === 'failed') emit(state, 'checkout.session.async_payment_failed', session);
  else emit(state, 'checkout.session.async_payment_succeeded', state.store.put({ ...session, payment_status: 'paid' }));
}
