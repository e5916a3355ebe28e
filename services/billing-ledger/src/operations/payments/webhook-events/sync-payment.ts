import { appendEvents } from '@tollgate/events';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import type Stripe from 'stripe';
import { ask, askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { COUNTER_ACCOUNTS } from '../../../domain/counter-accounts.js';
import { REST_MS } from '../../../domain/payments/auto-top-up.js';
import {
  type DisputeAmounts,
  disputedCents,
  type PaymentEntry,
  type PaymentState,
  paymentEntries,
  reversedCents,
} from '../../../domain/payments/payment-entries.js';
import type { PaymentOutcome } from '../../../metrics.js';
import { type AccountKey, lockAccounts, openAccount } from '../../../store/accounts.js';
import { keepCustomer } from '../../../store/customers/customers.js';
import { lockAutoTopUp, noteSuccess } from '../../../store/payments/auto-topups.js';
import {
  endOrder,
  findOrder,
  lockOrder,
  notePayment,
  type PaymentOrder,
} from '../../../store/payments/payment-orders.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { undoOrder } from '../../../store/payments/undone-orders.js';
import { insertTransfer } from '../../../store/transfers.js';
import { closeWallet } from '../../credit/close-wallet.js';
import { isTopUp, readOrderId, readRefundId } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { endRefunds, type ProcessorRefund } from '../refunds/end-refunds.js';
import { failAutoTopUp, failPayment } from './fail-payment.js';
import { paymentSucceededEvent } from './payment-events.js';
import { recordReversals } from './record-reversals.js';

const REVERSALS_MAX = 100;
/** The outcome that metrics count for each kind of entry. */
const OUTCOMES: Record<PaymentEntry['kind'], PaymentOutcome> = {
  top_up: 'paid',
  refund: 'refunded',
  refund_failed: 'refund_failed',
  dispute: 'disputed',
  dispute_won: 'dispute_won',
};

/** `complete` if the payer's page is closed, so that a payment without success is not tried again. */
type Page = 'open' | 'complete';

/** Reads a payment with its refunds and disputes, and books the entries that are missing in the journal. */
export async function syncPayment(ctx: PaymentContext, id: string, page: Page = 'open'): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const intent = await askForMaybe(stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
  if (intent) await applyPayment(ctx, intent, ticket, page);
}

export async function applyPayment(
  ctx: PaymentContext,
  intent: Stripe.PaymentIntent,
  ticket: bigint,
  page: Page = 'open',
): Promise<void> {
  const orderId = readOrderId(intent.metadata);
  const order = orderId && (await findOrder(ctx.pool, orderId));
  // The payments of invoices are recorded with them; other payments may not belong to this service.
  if (!order || !isTopUp(order)) return;
  if (intent.status !== 'succeeded') return applyUnpaid(ctx, order, intent, page);
  if (intent.currency !== order.currency) {
    // Balances have one currency. The owner decides what happens to the money at the processor.
    const reason = `paid in ${intent.currency} instead of ${order.currency}; not credited`;
    return fail(ctx, order, intent, reason);
  }
  const { state, requested } = await readPaymentState(ctx, intent);
  const entries = paymentEntries(state);
  const { isUndone, booked, endedCount } = await withTransaction(ctx.pool, async (tx) => {
    if (order.kind === 'auto_topup') await lockAutoTopUp(tx, order.account_id);
    const isDeleted = order.customer_id !== null && !(await keepCustomer(tx, order.customer_id));
    const locked = await lockOrder(tx, order.id);
    const booked = await book(tx, order, entries);
    const endedCount = await endRefunds(tx, order, requested, ctx.clock.now());
    // A payment for a deleted customer or project is refunded.
    const isUnwanted = isDeleted || Boolean(locked?.undo_requested_at);
    const mustUndo = isUnwanted && booked.some(({ kind }) => kind === 'top_up');
    if (mustUndo) await undoOrder(tx, order.id, ctx.clock.now());
    else if (isDeleted && booked.length + endedCount > 0) await closeWallet(tx, order.customer_id ?? '');
    const receiptUrl = readReceiptUrl(intent);
    await notePayment(tx, order.id, { intentId: intent.id, newlyReversedCents: reversedCents(booked), receiptUrl });
    const { customer_id: customerId, project_id: projectId } = order;
    if (customerId !== null && projectId !== null) {
      const { id, kind, account_id: accountId, currency } = order;
      const amountCents = state.receivedCents;
      const payment = { id, kind, accountId, projectId, customerId, currency, amountCents, receiptUrl };
      await recordReversals(ctx, tx, payment, { state, ticket });
      if (booked.some((entry) => entry.kind === 'top_up')) await appendEvents(tx, [paymentSucceededEvent(payment)]);
    }
    const isFirst = await endOrder(tx, order.id, { status: 'completed', at: ctx.clock.now() });
    if (isFirst && order.kind === 'auto_topup')
      await noteSuccess(tx, order.account_id, new Date(ctx.clock.nowMs() + REST_MS));
    return { isUndone: mustUndo, booked, endedCount };
  });
  for (const { kind } of booked) ctx.metrics.paid(OUTCOMES[kind]);
  logBooked(ctx.logger, order, booked);
  if (isUndone) ctx.orders.wake();
  if (endedCount > 0 || booked.length > 0) ctx.relay.wake();
  // The daily cap on granted credit depends on what the account has paid.
  ctx.subjects.dropAccount(order.account_id);
}

/** Reads refunds and disputes even if the charge shows none: a refund that failed later must also be found. */
export async function readPaymentState(
  ctx: Pick<Context, 'processor'>,
  intent: Stripe.PaymentIntent,
): Promise<{ state: PaymentState; requested: ProcessorRefund[] }> {
  const { stripe } = requireProcessor(ctx);
  const params = { payment_intent: intent.id, limit: REVERSALS_MAX };
  const [refunds, disputes] = await Promise.all([ask(stripe.refunds.list(params)), ask(stripe.disputes.list(params))]);
  // The processor lists the newest first; the journal is written oldest first.
  const received = { currency: intent.currency, cents: BigInt(intent.amount_received) };
  const made = refunds.data.map((r) => ({ ...r, status: r.status ?? 'pending' })).reverse();
  return {
    state: {
      id: intent.id,
      receivedCents: received.cents,
      refunds: made.map(({ id, amount, status, created }) => ({
        id,
        cents: BigInt(amount),
        status,
        createdAt: toDate(created),
      })),
      disputes: disputes.data
        .map((d) => ({
          id: d.id,
          cents: disputedCents(toDisputeAmounts(d), received),
          status: d.status,
          reason: d.reason,
          createdAt: toDate(d.created),
        }))
        .reverse(),
    },
    requested: made.map(({ metadata, status }) => ({ requestId: readRefundId(metadata), status })),
  };
}

function toDisputeAmounts({ amount, currency, balance_transactions }: Stripe.Dispute): DisputeAmounts {
  const moved = balance_transactions ?? [];
  return {
    disputed: { currency, cents: BigInt(amount) },
    moved: moved.map((entry) => ({ currency: entry.currency, cents: BigInt(entry.amount) })),
  };
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** Returns the processor's receipt; the charge must be expanded. */
export function readReceiptUrl({ latest_charge: charge }: Stripe.PaymentIntent): string | undefined {
  return typeof charge === 'object' ? (charge?.receipt_url ?? undefined) : undefined;
}

/**
 * Books each entry once: the journal is unique per (kind, cause). Returns the new entries, so that a caller with an older
 * state of the payment adds nothing.
 */
async function book(tx: Tx, order: PaymentOrder, entries: readonly PaymentEntry[]): Promise<PaymentEntry[]> {
  const { id } = await openAccount(tx, order.account_id, toAccountKey(order));
  await lockAccounts(tx, [id]);
  const booked: PaymentEntry[] = [];
  for (const entry of entries) {
    const { kind, cause, direction, cents } = entry;
    const other = kind === 'top_up' ? COUNTER_ACCOUNTS.processorClearing : COUNTER_ACCOUNTS.refunds;
    const sides = direction === 'credit' ? { debit: other, credit: id } : { debit: id, credit: other };
    if (await insertTransfer(tx, { ...sides, amountMicrocents: centsToMicrocents(cents), kind, cause }))
      booked.push(entry);
  }
  return booked;
}

function logBooked(logger: Logger, order: PaymentOrder, booked: readonly PaymentEntry[]): void {
  const { id, account_id, project_id, customer_id, kind: purchase, currency } = order;
  const base = { order: id, account_id, project_id, customer_id, purchase, currency };
  for (const { kind, direction, cents, cause } of booked)
    logger.info({ ...base, kind, direction, amount_cents: Number(cents), cause }, 'payment booked');
}

function toAccountKey(order: PaymentOrder): AccountKey {
  return order.kind === 'wallet_topup'
    ? { kind: 'wallet', refId: order.customer_id ?? '' }
    : { kind: 'owner', refId: order.account_id };
}

/** Fails what was not paid and cannot be tried again. The payer of an open page can, so its order stays open. */
async function applyUnpaid(
  ctx: PaymentContext,
  order: PaymentOrder,
  intent: Stripe.PaymentIntent,
  page: Page,
): Promise<void> {
  const isOver = intent.status === 'requires_payment_method' || intent.status === 'canceled';
  const needsPayer = intent.status === 'requires_action' || intent.status === 'requires_confirmation';
  const isFailed = order.kind === 'auto_topup' ? isOver || needsPayer : isOver && page === 'complete';
  if (isFailed) await fail(ctx, order, intent, intent.last_payment_error?.message ?? `the payment is ${intent.status}`);
}

async function fail(
  ctx: PaymentContext,
  order: PaymentOrder,
  intent: Stripe.PaymentIntent,
  reason: string,
): Promise<void> {
  if (order.kind === 'auto_topup') await failAutoTopUp(ctx, order, reason);
  else
    await failPayment(ctx, order, {
      intentId: intent.id,
      cents: BigInt(intent.amount),
      currency: intent.currency,
      reason,
    });
}
