import { parseForm, readText } from '../api/form-data.js';
import { ProcessorError } from '../api/processor-error.js';
import { cancelRunning, changeCard, runningSubscriptions } from '../objects/portal-sessions.js';
import { confirmSetupIntent } from '../objects/setup-intents.js';
import { need, type ProcessorState } from '../processor-state.js';
import type { WirePortalSession, WireSession } from '../wire.js';
import { checkoutPage, messagePage, money, portalPage, setupPage } from './checkout-page.js';
import { completeSession, declineSession } from './complete-session.js';

export interface PageAnswer {
  status: number;
  html?: string;
  location?: string;
}

const DECLINED = 'Your card was declined. Try another one.';
const DECLINED_CARD = 'pm_card_chargeDeclined';

/** Answers the pages that payers see. Returns undefined for other paths. */
export function answerPage(
  state: ProcessorState,
  request: { method: string; path: string; query: string; body: string },
): PageAnswer | undefined {
  const match = /^\/(pay|setup|portal|invoice|receipt)\/([^/]+)$/.exec(request.path);
  if (!match) return undefined;
  const id = decodeURIComponent(match[2] ?? '');
  try {
    if (match[1] === 'invoice' || match[1] === 'receipt') return answerDocument(state, match[1], id);
    if (match[1] === 'portal') return answerPortal(state, id, request);
    return match[1] === 'pay' ? answerPay(state, id, request) : answerSetup(state, id, request);
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    return { status: error.status, html: messagePage('Checkout', error.message) };
  }
}

/** The hosted page of an invoice, or the receipt of a charge. */
function answerDocument(state: ProcessorState, kind: 'invoice' | 'receipt', id: string): PageAnswer {
  if (kind === 'receipt') {
    const { amount, currency } = need(state, 'charge', id);
    return { status: 200, html: messagePage('Receipt', `Paid: ${money(amount, currency)}`) };
  }
  const { status, total, currency } = need(state, 'invoice', id);
  return { status: 200, html: messagePage('Invoice', `${money(total, currency)}, ${status}`) };
}

function answerPay(state: ProcessorState, id: string, { method, body }: { method: string; body: string }): PageAnswer {
  const session = need(state, 'checkout.session', id);
  if (session.status !== 'open') return closed(session);
  if (method !== 'POST') return openPage(state, session);
  const form = parseForm(body);
  const wish = readText(form, 'do');
  if (wish === 'cancel') return { status: 303, location: session.cancel_url ?? session.success_url ?? '/' };
  if (wish === 'decline') {
    declineSession(state, id);
    return openPage(state, session, { status: 402, text: DECLINED });
  }
  try {
    const card = readText(form, 'card') ?? '';
    completeSession(state, id, { card, email: readText(form, 'email'), savesCard: readText(form, 'save') === '1' });
    return { status: 303, location: (session.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', id) };
  } catch (error) {
    if (error instanceof ProcessorError && error.status < 500)
      return openPage(state, session, { status: error.status, text: error.message });
    throw error;
  }
}

function openPage(state: ProcessorState, session: WireSession, error?: { status: number; text: string }): PageAnswer {
  const plan = need(state, 'double.session_plan', session.id);
  const customer = session.customer === null ? undefined : need(state, 'customer', session.customer);
  const payer = { email: customer?.email ?? session.customer_email, error: error?.text };
  return { status: error?.status ?? 200, html: checkoutPage(session, plan, payer) };
}

function closed(session: WireSession): PageAnswer {
  const text = session.status === 'complete' ? 'This checkout is paid.' : 'This checkout has expired.';
  return { status: 410, html: messagePage('Checkout', text) };
}

function answerPortal(
  state: ProcessorState,
  id: string,
  { method, body }: { method: string; body: string },
): PageAnswer {
  const session = need(state, 'billing_portal.session', id);
  const form = parseForm(method === 'POST' ? body : '');
  const wish = readText(form, 'do');
  if (wish === 'return') return { status: 303, location: session.return_url ?? '/' };
  if (wish === 'cancel') cancelRunning(state, session.customer);
  if (wish !== 'card') return { status: 200, html: showPortal(state, session) };
  try {
    changeCard(state, session.customer, readText(form, 'card') ?? '');
    return { status: 200, html: showPortal(state, session, { text: 'The card is saved.', isError: false }) };
  } catch (error) {
    if (!(error instanceof ProcessorError) || error.status >= 500) throw error;
    return { status: error.status, html: showPortal(state, session, { text: error.message, isError: true }) };
  }
}

function showPortal(
  state: ProcessorState,
  session: WirePortalSession,
  message?: { text: string; isError: boolean },
): string {
  const invoices = state.store.all('invoice').filter(({ customer }) => customer === session.customer);
  return portalPage(session, { subscriptions: runningSubscriptions(state, session.customer), invoices }, message);
}

function answerSetup(
  state: ProcessorState,
  id: string,
  { method, query, body }: { method: string; query: string; body: string },
): PageAnswer {
  const intent = need(state, 'setup_intent', id);
  const form = parseForm(method === 'POST' ? body : query);
  const secret = readText(form, 'client_secret') ?? '';
  if (secret !== intent.client_secret)
    return { status: 404, html: messagePage('Save a card', 'There is no such page.') };
  if (intent.status === 'succeeded') return { status: 200, html: messagePage('Save a card', 'The card is saved.') };
  if (method !== 'POST') return { status: 200, html: setupPage(intent, secret) };
  const card = readText(form, 'do') === 'decline' ? DECLINED_CARD : (readText(form, 'card') ?? '');
  try {
    confirmSetupIntent(state, id, { payment_method: card });
    return { status: 200, html: messagePage('Save a card', 'The card is saved. You can close this page.') };
  } catch (error) {
    if (error instanceof ProcessorError) return { status: error.status, html: setupPage(intent, secret, DECLINED) };
    throw error;
  }
}
