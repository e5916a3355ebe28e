import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/payment-refunds.js';

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** A refund that an owner requested. Its id is the idempotency key of the call to the processor. */
export interface PaymentRefund {
  id: string;
  order_id: string;
  account_id: bigint;
  amount_cents: bigint;
  status: RefundStatus;
  failure: string | null;
  created_at: Date;
  ended_at: Date | null;
}

export interface NewRefund {
  id: string;
  orderId: string;
  accountId: bigint;
  ownerAccountId: string;
  cause: string;
  amountCents: bigint;
  createdAt: Date;
  checkAt: Date;
}

const COLUMNS = 'id, order_id, account_id, amount_cents, status, failure, created_at, ended_at';
const LISTED_MAX = 100;

export async function insertRefund(tx: Queryable, refund: NewRefund): Promise<PaymentRefund> {
  return (await sql.insertRefund(tx, refund)) as PaymentRefund;
}

export async function findRefundByCause(
  db: Queryable,
  orderId: string,
  cause: string,
): Promise<PaymentRefund | undefined> {
  const { rows } = await db.query<PaymentRefund>(
    `SELECT ${COLUMNS} FROM payment_refunds WHERE order_id = $1 AND cause = $2`,
    [orderId, cause],
  );
  return rows[0];
}

export async function findRefund(db: Queryable, id: string): Promise<PaymentRefund | undefined> {
  const { rows } = await db.query<PaymentRefund>(`SELECT ${COLUMNS} FROM payment_refunds WHERE id = $1`, [id]);
  return rows[0];
}

/** Lists the refunds of an order, newest first. */
export async function listRefunds(db: Queryable, orderId: string): Promise<PaymentRefund[]> {
  const { rows } = await db.query<PaymentRefund>(
    `SELECT ${COLUMNS} FROM payment_refunds WHERE order_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${LISTED_MAX}`,
    [orderId],
  );
  return rows;
}

/** Sums the pending refunds of a wallet, in cents. */
export async function pendingRefundCents(db: Queryable, accountId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ cents: bigint }>(
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_refunds
     WHERE account_id = $1 AND status = 'pending'`,
    [accountId],
  );
  return rows[0]?.cents ?? 0n;
}

/** Sums the pending refunds of an order and of its wallet, in cents. */
export async function pendingRefunds(
  tx: Queryable,
  orderId: string,
  accountId: bigint,
): Promise<{ ofOrder: bigint; ofWallet: bigint }> {
  const { rows } = await tx.query<{ ofOrder: bigint; ofWallet: bigint }>(
    `SELECT coalesce(sum(amount_cents) FILTER (WHERE order_id = $1), 0)::bigint AS "ofOrder",
       coalesce(sum(amount_cents), 0)::bigint AS "ofWallet"
     FROM payment_refunds WHERE account_id = $2 AND status = 'pending'`,
    [orderId, accountId],
  );
  return rows[0] as { ofOrder: bigint; ofWallet: bigint };
}

/**
 * Ends a refund and returns it with the status that it had. Returns undefined if it already has the status, or failed: a
 * failed refund never succeeds. A succeeded one can fail days later.
 */
export async function endRefund(
  tx: Queryable,
  id: string,
  end: { status: Exclude<RefundStatus, 'pending'>; at: Date; failure?: string | undefined },
): Promise<{ refund: PaymentRefund; before: RefundStatus } | undefined> {
  const { status, at, failure } = end;
  const row = await sql.endRefund(tx, { id, status, at, failure: failure?.slice(0, 500) ?? null });
  if (!row) return undefined;
  const { before, ...refund } = row;
  return { refund, before };
}

/** Claims pending refunds whose outcome is overdue, and schedules their next check with a delay that grows with their age. */
export async function takeOverdueRefunds(
  db: Queryable,
  now: Date,
  pauseMs: number,
  limit: number,
): Promise<PaymentRefund[]> {
  return sql.takeOverdueRefunds(db, { now, pauseMs, limit });
}
