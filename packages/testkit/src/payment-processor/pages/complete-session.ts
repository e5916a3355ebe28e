import { invalid } from '../api/processor-error.js';
import { attachCard, createCustomer } from '../objects/customers.js';
import { chargeCard, recordDecline } from '../objects/payment-intents.js';
import { confirmSetupIntent, setupIntentFor } from '../objects/setup-intents.js';
import { startSubscription } from '../objects/subscriptions.js';
import type { SessionPlan, WireSession } from '../wire.js';
import { emit, need, type World } from '../world.js';

export interface Payer {
  /** A test token, see cards.ts. */
  card: string;
  email: string | undefined;
  savesCard: boolean;
}

/** What the page does when its payer pays. @throws ProcessorError 402 for a declined card: the page stays open */
export function completeSession(world: World, id: string, payer: Payer): WireSession {
  const session = need(world, 'checkout.session', id);
  if (session.status !== 'open') throw invalid(`This Checkout Session is ${session.status}.`);
  const plan = need(world, 'double.session_plan', id);
  const email = emailOf(world, session, payer);
  const customer = session.customer ?? newCustomer(world, session, email);
  const outcome = outcomeOf(world, session, plan, { ...payer, customer });
  const done = world.store.put({
    ...session,
    ...outcome,
    customer,
    customer_details: { email, name: null },
    status: 'complete' as const,
  });
  emit(world, 'checkout.session.completed', done);
  return done;
}

/** A card that is refused on the page. */
export function declineSession(world: World, id: string): void {
  const session = need(world, 'checkout.session', id);
  const { line, paymentMetadata } = need(world, 'double.session_plan', id);
  if (session.mode !== 'payment') return;
  recordDecline(world, {
    amount: line.amount,
    currency: line.currency,
    customer: session.customer,
    card: '',
    description: line.name,
    metadata: paymentMetadata,
  });
}

function emailOf(world: World, session: WireSession, payer: Payer): string | null {
  const known = session.customer === null ? null : need(world, 'customer', session.customer).email;
  const email = known ?? payer.email ?? session.customer_email;
  if (!email && session.customer === null && session.mode === 'subscription')
    throw invalid('Enter your e-mail.', 'email');
  return email ?? null;
}

/** The processor makes one for every subscription; other payers without an account stay guests. */
function newCustomer(world: World, session: WireSession, email: string | null): string | null {
  if (session.mode !== 'subscription') return null;
  return createCustomer(world, { email: email ?? '' }).id;
}

function outcomeOf(
  world: World,
  session: WireSession,
  plan: SessionPlan,
  payer: Payer & { customer: string | null },
): Partial<WireSession> {
  const { card, customer } = payer;
  if (session.mode === 'setup') {
    const intent = setupIntentFor(world, customer, plan.setupMetadata);
    return { setup_intent: confirmSetupIntent(world, intent.id, { payment_method: card }).id };
  }
  if (session.mode === 'subscription' && plan.line.price && customer !== null) {
    const { trialDays, subscriptionMetadata: metadata } = plan;
    const started = startSubscription(world, { customer, price: plan.line.price, card, trialDays, metadata });
    return { subscription: started.id, payment_status: trialDays ? 'no_payment_required' : 'paid' };
  }
  const saves = customer !== null && (plan.savesAlways || (plan.offersToSave && payer.savesCard));
  const intent = chargeCard(world, {
    amount: plan.line.amount,
    currency: plan.line.currency,
    customer,
    card: saves ? attachCard(world, card, customer).id : card,
    description: plan.line.name,
    metadata: plan.paymentMetadata,
  });
  return { payment_intent: intent.id, payment_status: 'paid' };
}
