import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/payment-orders.js';

export type OrderKind =
  | 'subscription'
  | 'tier_change'
  | 'wallet_topup'
  | 'account_topup'
  | 'auto_topup'
  | 'card_verification'
  | 'card_setup';
export type OrderStatus = 'open' | 'completed' | 'expired' | 'failed';
/** Also the records of what the processor reported. */
export type PaymentKind = OrderKind | 'renewal' | 'invoice' | 'refund' | 'dispute';
export type PaymentStatus = OrderStatus | 'processing' | 'disputed' | 'won' | 'lost';

/** A request to the processor. Its id is the idempotency key of the call. */
export interface PaymentOrder {
  id: string;
  kind: OrderKind;
  status: OrderStatus;
  account_id: string;
  project_id: string | null;
  customer_id: string | null;
  tier_id: string | null;
  amount_cents: bigint | null;
  currency: string | null;
  reversed_cents: bigint;
  session_id: string | null;
  session_url: string | null;
  setup_intent_id: string | null;
  payment_intent_id: string | null;
  failure: string | null;
  created_at: Date;
  expires_at: Date | null;
  ended_at: Date | null;
  /** Set when the customer or project is deleted: the purchase must be undone. */
  undo_requested_at: Date | null;
  /** Next attempt to undo it; null if there is nothing to do. */
  undo_at: Date | null;
}

/** A row of the list of payments: a request to the processor, or what the processor reported. */
export interface ListedPayment extends Omit<PaymentOrder, 'kind' | 'status'> {
  kind: PaymentKind;
  status: PaymentStatus;
  /** The payment that a refund or dispute is about. */
  parent_id: string | null;
  /** Part of the amount. */
  tax_cents: bigint | null;
  period_start: Date | null;
  period_end: Date | null;
  invoice_url: string | null;
  receipt_url: string | null;
}

export interface NewOrder {
  id: string;
  kind: OrderKind;
  accountId: string;
  projectId?: string | undefined;
  customerId?: string | undefined;
  tierId?: string | undefined;
  amountCents?: bigint | undefined;
  currency?: string | undefined;
  createdAt: Date;
  checkAt: Date;
}

export const ORDER_COLUMNS = `id, kind, status, account_id, project_id, customer_id, tier_id, amount_cents, currency, reversed_cents,
  session_id, session_url, setup_intent_id, payment_intent_id, failure, created_at, expires_at, ended_at, undo_requested_at, undo_at`;

export const LISTED_COLUMNS = `${ORDER_COLUMNS}, parent_id, tax_cents, period_start, period_end, invoice_url, receipt_url`;

/** Returns false if another order of the kind is open and only one is allowed (tier changes, automatic top-ups). */
export async function insertOrder(db: Queryable, order: NewOrder): Promise<boolean> {
  const inserted = await sql.insertOrder(db, {
    ...order,
    projectId: order.projectId ?? null,
    customerId: order.customerId ?? null,
    tierId: order.tierId ?? null,
    amountCents: order.amountCents ?? null,
    currency: order.currency ?? null,
  });
  return inserted === 1;
}

export async function findOrder(db: Queryable, id: string): Promise<PaymentOrder | undefined> {
  const { rows } = await db.query<PaymentOrder>(`SELECT ${ORDER_COLUMNS} FROM payment_orders WHERE id = $1`, [id]);
  return rows[0];
}

export async function findListedPayment(db: Queryable, id: string): Promise<ListedPayment | undefined> {
  const { rows } = await db.query<ListedPayment>(`SELECT ${LISTED_COLUMNS} FROM payment_orders WHERE id = $1`, [id]);
  return rows[0];
}

/** Locks an order to serialize its effects. */
export async function lockOrder(tx: Queryable, id: string): Promise<PaymentOrder | undefined> {
  const { rows } = await tx.query<PaymentOrder>(
    `SELECT ${ORDER_COLUMNS} FROM payment_orders WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

export async function findOrderBy(
  db: Queryable,
  column: 'session_id' | 'setup_intent_id',
  value: string,
): Promise<PaymentOrder | undefined> {
  const { rows } = await db.query<PaymentOrder>(`SELECT ${ORDER_COLUMNS} FROM payment_orders WHERE ${column} = $1`, [
    value,
  ]);
  return rows[0];
}

export async function findOpenOrder(
  db: Queryable,
  kind: 'tier_change',
  customerId: string,
): Promise<PaymentOrder | undefined> {
  const { rows } = await db.query<PaymentOrder>(
    `SELECT ${ORDER_COLUMNS} FROM payment_orders WHERE kind = $1 AND customer_id = $2 AND status = 'open'`,
    [kind, customerId],
  );
  return rows[0];
}

/**
 * Stores the processor's response; a webhook event may already have ended the order. Returns false if the order is being
 * undone, and makes the undo due now that the session is known.
 */
export async function noteSession(
  db: Queryable,
  id: string,
  session: { id: string; url: string | null; expiresAt: Date; checkAt: Date },
  now: Date,
): Promise<boolean> {
  const { id: sessionId, url: sessionUrl, expiresAt, checkAt } = session;
  const row = await sql.noteSession(db, { id, sessionId, sessionUrl, expiresAt, checkAt, now });
  return row?.isUndone === false;
}

export async function noteSetupIntent(db: Queryable, id: string, setupIntentId: string): Promise<void> {
  await db.query('UPDATE payment_orders SET setup_intent_id = $2 WHERE id = $1', [id, setupIntentId]);
}

export async function notePayment(
  tx: Queryable,
  id: string,
  payment: { intentId: string; newlyReversedCents: bigint; receiptUrl?: string | undefined },
): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET payment_intent_id = $2, reversed_cents = reversed_cents + $3,
       receipt_url = coalesce($4, receipt_url)
     WHERE id = $1`,
    [id, payment.intentId, payment.newlyReversedCents, payment.receiptUrl ?? null],
  );
}

export async function noteCustomer(tx: Queryable, id: string, customerId: string): Promise<void> {
  await tx.query('UPDATE payment_orders SET customer_id = $2 WHERE id = $1', [id, customerId]);
}

/**
 * Ends an order. Returns true if this call ended it. A completed order stays completed; an expired or failed order still
 * completes if the processor reports its payment later.
 */
export async function endOrder(
  tx: Queryable,
  id: string,
  end: { status: Exclude<OrderStatus, 'open'>; at: Date; failure?: string | undefined },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payment_orders SET status = $2, ended_at = $3, failure = $4
     WHERE id = $1 AND (status = 'open' OR ($2 = 'completed' AND status <> 'completed'))`,
    [id, end.status, end.at, end.failure?.slice(0, 500) ?? null],
  );
  return rowCount === 1;
}

/** Lists an account's top-ups, newest first. */
export async function listTopUps(
  db: Queryable,
  accountId: string,
  page: { take: number; skip: number },
): Promise<PaymentOrder[]> {
  const { rows } = await db.query<PaymentOrder>(
    `SELECT ${ORDER_COLUMNS} FROM payment_orders WHERE account_id = $1 AND kind IN ('account_topup', 'auto_topup')
     ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
    [accountId, page.take, page.skip],
  );
  return rows;
}

/**
 * Claims orders whose webhook event is overdue and schedules their next check with a delay that grows with their age. Two
 * replicas never check the same order at once, and an order that cannot be resolved does not block the others.
 */
export async function takeOverdueOrders(
  db: Queryable,
  now: Date,
  pauseMs: number,
  limit: number,
): Promise<PaymentOrder[]> {
  const { rows } = await db.query<PaymentOrder>(
    `WITH due AS (
       SELECT id FROM payment_orders WHERE status = 'open' AND check_at <= $1 AND undo_at IS NULL
       ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     UPDATE payment_orders o
     SET check_at = $1::timestamptz + greatest($2 * interval '1 millisecond', $1::timestamptz - o.created_at) FROM due
     WHERE o.id = due.id RETURNING ${ORDER_COLUMNS.replaceAll(/\b(\w+)\b/g, 'o.$1')}`,
    [now, pauseMs, limit],
  );
  return rows;
}

/** Sums an account's completed and open automatic top-ups since the start of the day and of the month. */
export async function autoTopUpsSince(
  tx: Queryable,
  accountId: string,
  dayStart: Date,
  monthStart: Date,
): Promise<{ todayCents: bigint; monthCents: bigint }> {
  const { rows } = await tx.query<{ todayCents: bigint; monthCents: bigint }>(
    `SELECT coalesce(sum(amount_cents) FILTER (WHERE created_at >= $2), 0)::bigint AS "todayCents",
       coalesce(sum(amount_cents), 0)::bigint AS "monthCents"
     FROM payment_orders WHERE account_id = $1 AND kind = 'auto_topup' AND status IN ('open', 'completed') AND created_at >= $3`,
    [accountId, dayStart, monthStart],
  );
  return rows[0] as { todayCents: bigint; monthCents: bigint };
}
