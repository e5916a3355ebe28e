import { ProcessorError } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { Metadata, WireInvoice, WireInvoiceItem, WirePaymentIntent, WireSubscription } from '../wire.js';
import { chargeCard } from './payment-intents.js';

export interface InvoiceInput {
  subscription: WireSubscription;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** Price of the period itself. */
  amount: number;
  description: string;
  card: string | null;
}

/**
 * Creates an invoice with all pending items and charges it. A negative amount is credited to the customer's
 * credit, and credit pays before the card does. `failure` instead of a throw: an invoice that was not paid stays open.
 */
export function invoiceNow(
  state: ProcessorState,
  wish: InvoiceInput,
): { invoice: WireInvoice; failure?: ProcessorError } {
  const { subscription } = wish;
  const customer = need(state, 'customer', subscription.customer);
  const waiting = pendingItems(state, subscription.id);
  const total = wish.amount + waiting.reduce((sum, item) => sum + item.amount, 0);
  // The processor keeps credit as a negative balance.
  const due = Math.max(0, total + customer.balance);
  const draft = draftInvoice(state, wish, waiting, total, due);
  const charged = due > 0 ? chargeFor(state, wish, due) : undefined;
  const failure = charged instanceof ProcessorError ? charged : undefined;
  const invoice = state.store.put(failure ? draft : paidInvoice(state, draft, due));
  recordPayment(state, invoice, charged);
  if (!failure) {
    state.store.put({ ...need(state, 'customer', customer.id), balance: Math.min(0, total + customer.balance) });
  }
  for (const item of waiting) state.store.put({ ...item, invoice: invoice.id });
  emit(state, failure ? 'invoice.payment_failed' : 'invoice.paid', invoice);
  return { invoice, ...(failure && { failure }) };
}

export function pendingItems(state: ProcessorState, subscription: string): WireInvoiceItem[] {
  return state.store.all('invoiceitem').filter((item) => item.subscription === subscription && item.invoice === null);
}

function chargeFor(
  state: ProcessorState,
  { subscription, card, description }: InvoiceInput,
  due: number,
): ProcessorError | WirePaymentIntent {
  const metadata: Metadata = {};
  try {
    if (card === null) return new ProcessorError(402, { type: 'card_error', message: 'There is no payment method.' });
    const { currency, customer } = subscription;
    return chargeCard(state, { amount: due, currency, customer, card, description, metadata });
  } catch (error) {
    if (error instanceof ProcessorError && error.status === 402) return error;
    throw error;
  }
}

/** Charges an open invoice to another card. Returns the refusal if it is not paid. */
export function payInvoice(state: ProcessorState, invoice: WireInvoice, card: string): ProcessorError | undefined {
  const subscription = need(state, 'subscription', invoice.parent.subscription_details.subscription);
  const input = { subscription, reason: 'subscription_cycle', amount: 0, description: 'Subscription', card } as const;
  const tried = { ...invoice, attempt_count: invoice.attempt_count + 1 };
  const charged = chargeFor(state, input, invoice.amount_remaining);
  if (charged instanceof ProcessorError) {
    recordPayment(state, tried, charged);
    emit(state, 'invoice.payment_failed', state.store.put(tried));
    return charged;
  }
  const paid = state.store.put(paidInvoice(state, tried, invoice.amount_remaining));
  recordPayment(state, paid, charged);
  emit(state, 'invoice.paid', paid);
  return undefined;
}

/** Links the payment, or the failed attempt, to its invoice. */
function recordPayment(
  state: ProcessorState,
  invoice: WireInvoice,
  charged: WirePaymentIntent | ProcessorError | undefined,
): void {
  const isPaid = !(charged instanceof ProcessorError);
  const intent = isPaid ? charged : (charged.body.error as { payment_intent?: WirePaymentIntent }).payment_intent;
  if (!intent) return;
  const now = seconds(state);
  state.store.put({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: isPaid ? intent.amount_received : null,
    amount_requested: intent.amount,
    created: now,
    currency: intent.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: isPaid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: isPaid ? now : null },
  });
}

/** Returns an open invoice that is not stored. */
export function draftInvoice(
  state: ProcessorState,
  wish: Pick<InvoiceInput, 'subscription' | 'reason' | 'amount' | 'description'>,
  waiting: readonly WireInvoiceItem[],
  total: number,
  due: number,
): WireInvoice {
  const { subscription, reason } = wish;
  const id = newId('in');
  const own = wish.amount === 0 && waiting.length > 0 ? [] : [{ amount: wish.amount, description: wish.description }];
  const item = subscription.items.data[0];
  const period = { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
  const lines = [
    ...own.map((line) => ({ ...line, isProration: false })),
    ...waiting.map((item) => ({ amount: item.amount, description: item.description, isProration: true })),
  ];
  return {
    id,
    object: 'invoice',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: due > 0 ? 1 : 0,
    billing_reason: reason,
    created: seconds(state),
    currency: subscription.currency,
    customer: subscription.customer,
    hosted_invoice_url: `${state.baseUrl()}/invoice/${id}`,
    lines: {
      object: 'list',
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
      data: lines.map(({ amount, description, isProration }) => ({
        id: newId('il'),
        object: 'line_item' as const,
        amount,
        currency: subscription.currency,
        description,
        period,
        parent: {
          type: 'subscription_item_details' as const,
          subscription_item_details: { proration: isProration, subscription: subscription.id },
        },
      })),
    },
    livemode: false,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    status: 'open',
    status_transitions: {
      finalized_at: seconds(state),
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    total,
    total_taxes: [],
    metadata: {},
  };
}

function paidInvoice(state: ProcessorState, draft: WireInvoice, due: number): WireInvoice {
  const status_transitions = { ...draft.status_transitions, paid_at: seconds(state) };
  return { ...draft, status: 'paid', status_transitions, amount_paid: due, amount_remaining: 0 };
}
