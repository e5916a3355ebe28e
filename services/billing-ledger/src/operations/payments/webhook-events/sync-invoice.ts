import { randomUUID } from 'node:crypto';
import { appendEvents } from '@tollgate/events';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { ask, askForMaybe, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { type InvoicePayment, toInvoicePayment } from '../../../domain/payments/invoice-payment.js';
import {
  type PaymentState,
  paymentEntries,
  REFUND_TAKEN,
  reversedCents,
} from '../../../domain/payments/payment-entries.js';
import { type FindPayerRow, findPayer } from '../../../store/gen/payments/processor-payments.js';
import { findOrder } from '../../../store/payments/payment-orders.js';
import {
  type ProcessorPayment,
  putProcessorPayment,
  type RecordedPayment,
} from '../../../store/payments/processor-payments.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { noteReportedRefunds } from '../../../store/payments/undone-orders.js';
import { isTopUp, readOrderId } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import {
  attemptFailedEvent,
  paymentRefundedEvent,
  paymentSucceededEvent,
  type ReportedPayment,
} from './payment-events.js';
import { recordReversals } from './record-reversals.js';
import { readPaymentState, readReceiptUrl } from './sync-payment.js';

/** An invoice is paid in one payment, or in a few parts. */
const PARTS_MAX = 20;
const ATTEMPT_FAILED = 'the payment failed';

export interface InvoiceOptions {
  /** Reads what happened long ago: emits no event. */
  isHistory?: boolean;
}

/** Reads an invoice of a customer with its payments, refunds and disputes, and records them. Each is reported once. */
export async function syncInvoice(ctx: PaymentContext, id: string, options: InvoiceOptions = {}): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const invoice = await askForMaybe(stripe.invoices.retrieve(id));
  if (!invoice) return;
  const seen = toInvoicePayment({
    status: invoice.status,
    reason: invoice.billing_reason,
    paidCents: BigInt(invoice.amount_paid),
    dueCents: BigInt(invoice.amount_due),
    attemptCount: invoice.attempt_count,
  });
  const subscriptionId = toId(invoice.parent?.subscription_details?.subscription) ?? null;
  const processorCustomerId = toId(invoice.customer) ?? '';
  const payer = seen && (await findPayer(ctx.pool, { processorCustomerId, subscriptionId }));
  if (!payer) return;
  const parts = await readParts(ctx, id);
  // The order of a top-up records its payment.
  if (await isPaidTopUp(ctx, parts.intents)) return;
  const state = seen.status === 'completed' ? await readStates(ctx, parts.intents) : undefined;
  await record(ctx, { invoice, seen, payer, parts, state, ticket }, options);
}

/** Records the invoice that a refunded or disputed payment has paid. Does nothing if it paid none. */
export async function syncInvoiceOfPayment(ctx: PaymentContext, paymentId: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const payment = { type: 'payment_intent' as const, payment_intent: paymentId };
  const paid = await askForMaybe(stripe.invoicePayments.list({ payment, limit: 1 }));
  const invoice = toId(paid?.data[0]?.invoice);
  if (invoice) await syncInvoice(ctx, invoice);
}

interface Parts {
  /** The payments that paid the invoice, or else its last attempt. */
  intents: Stripe.PaymentIntent[];
  receiptUrl: string | undefined;
  failure: string | undefined;
}

async function readParts(ctx: Pick<Context, 'processor'>, invoice: string): Promise<Parts> {
  const { stripe } = requireProcessor(ctx);
  const listed = await ask(stripe.invoicePayments.list({ invoice, limit: PARTS_MAX }));
  const paid = listed.data.filter(({ status }) => status === 'paid');
  const ids = (paid.length > 0 ? paid : listed.data.slice(0, 1)).flatMap(
    ({ payment }) => toId(payment.payment_intent) ?? [],
  );
  const intents: Stripe.PaymentIntent[] = [];
  for (const id of ids) intents.push(await ask(stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })));
  return {
    intents,
    receiptUrl: intents[0] && readReceiptUrl(intents[0]),
    failure: intents[0]?.last_payment_error?.message,
  };
}

async function isPaidTopUp(ctx: Pick<Context, 'pool'>, intents: readonly Stripe.PaymentIntent[]): Promise<boolean> {
  for (const { metadata } of intents) {
    const orderId = readOrderId(metadata);
    const order = orderId && (await findOrder(ctx.pool, orderId));
    if (order && isTopUp(order)) return true;
  }
  return false;
}

/** Joins the states of the payments of one invoice. */
async function readStates(
  ctx: Pick<Context, 'processor'>,
  intents: readonly Stripe.PaymentIntent[],
): Promise<PaymentState> {
  const states: PaymentState[] = [];
  for (const intent of intents) states.push((await readPaymentState(ctx, intent)).state);
  return {
    id: intents[0]?.id ?? '',
    receivedCents: states.reduce((sum, { receivedCents }) => sum + receivedCents, 0n),
    refunds: states.flatMap(({ refunds }) => refunds),
    disputes: states.flatMap(({ disputes }) => disputes),
  };
}

interface SeenInvoice {
  invoice: Stripe.Invoice;
  seen: InvoicePayment;
  payer: FindPayerRow;
  parts: Parts;
  /** Undefined if it is not paid. */
  state: PaymentState | undefined;
  ticket: bigint;
}

async function record(ctx: PaymentContext, input: SeenInvoice, { isHistory = false }: InvoiceOptions): Promise<void> {
  const { invoice, seen, state, ticket } = input;
  const payment = toProcessorPayment(input);
  const orderId = readOrderId(invoice.parent?.subscription_details?.metadata);
  const isFirst = seen.kind === 'subscription' && seen.status === 'completed';
  const isReported = await withTransaction(ctx.pool, async (tx) => {
    const target = { newId: randomUUID(), ticket, ...(isFirst && { orderId }) };
    const recorded = await putProcessorPayment(tx, payment, target);
    if (!recorded) return false;
    const reported: ReportedPayment = { ...payment, id: recorded.id };
    if (!isHistory) await reportOutcome(tx, reported, payment, recorded.before);
    if (state) {
      await recordReversals(ctx, tx, reported, { state, ticket, isHistory });
      await reportRefunds(tx, reported, state, isHistory);
    }
    return !isHistory;
  });
  if (isReported) ctx.relay.wake();
}

function toProcessorPayment({ invoice, seen, payer, parts, state }: SeenInvoice): ProcessorPayment {
  const { status_transitions: at, total_taxes: taxes } = invoice;
  const isPaid = seen.status === 'completed';
  const period = invoice.lines.data.at(-1)?.period;
  return {
    ...seen,
    ref: invoice.id,
    customerId: payer.customerId,
    projectId: payer.projectId,
    accountId: payer.accountId,
    tierId: payer.tierId ?? undefined,
    taxCents: taxes ? BigInt(taxes.reduce((sum, { amount }) => sum + amount, 0)) : undefined,
    reversedCents: state ? reversedCents(paymentEntries(state)) : 0n,
    currency: invoice.currency,
    period: period && { start: toDate(period.start), end: toDate(period.end) },
    intentId: parts.intents[0]?.id,
    invoiceUrl: invoice.hosted_invoice_url ?? undefined,
    receiptUrl: isPaid ? parts.receiptUrl : undefined,
    failure: isPaid ? undefined : (parts.failure ?? ATTEMPT_FAILED),
    attemptCount: invoice.attempt_count,
    createdAt: toDate(invoice.created),
    paidAt: isPaid ? toDate(at.paid_at ?? invoice.created) : undefined,
  };
}

/** Emits one event when the payment succeeds, and one per failed attempt. */
async function reportOutcome(
  tx: Tx,
  reported: ReportedPayment,
  { paidAt, attemptCount = 0, failure = ATTEMPT_FAILED }: ProcessorPayment,
  before: RecordedPayment | undefined,
): Promise<void> {
  if (paidAt && !before?.paidAt) await appendEvents(tx, [paymentSucceededEvent(reported)]);
  if (!paidAt && attemptCount > (before?.attemptCount ?? 0))
    await appendEvents(tx, [attemptFailedEvent(reported, failure)]);
}

/** Emits one event per refund. The undoing of a purchase reports its refunds itself. */
async function reportRefunds(tx: Tx, payment: ReportedPayment, state: PaymentState, isHistory: boolean): Promise<void> {
  const order = await findOrder(tx, payment.id);
  if (order?.undo_requested_at) return;
  const taken = state.refunds.filter(({ status }) => REFUND_TAKEN.has(status));
  const unreported = await noteReportedRefunds(tx, payment.id, taken);
  if (isHistory) return;
  for (const { cents } of unreported) await appendEvents(tx, [paymentRefundedEvent(payment, cents)]);
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}
