import type { Queryable } from '@tollgate/postgres';

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
  const { rows } = await tx.query<PaymentRefund>(
    `INSERT INTO payment_refunds (id, order_id, account_id, owner_account_id, cause, amount_cents, created_at, check_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
    [
      refund.id,
      refund.orderId,
      refund.accountId,
      refund.ownerAccountId,
      refund.cause,
      refund.amountCents,
      refund.createdAt,
      refund.checkAt,
    ],
  );
  return rows[0] as PaymentRefund;
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
  const { rows } = await tx.query<PaymentRefund & { before: RefundStatus }>(
    `WITH former AS (
       SELECT id, status FROM payment_refunds WHERE id = $1 AND status <> $2 AND status <> 'failed' FOR UPDATE)
     UPDATE payment_refunds r SET status = $2, ended_at = $3, failure = $4 FROM former WHERE r.id = former.id
     RETURNING ${COLUMNS.replaceAll(/\b(\w+)\b/g, 'r.$1')}, former.status AS before`,
    [id, end.status, end.at, end.failure?.slice(0, 500) ?? null],
  );
  const row = rows[0];
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
  const { rows } = await db.query<PaymentRefund>(
    `WITH due AS (
       SELECT id FROM payment_refunds WHERE status = 'pending' AND check_at <= $1
       ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     UPDATE payment_refunds r
     SET check_at = $1::timestamptz + greatest($2 * interval '1 millisecond', $1::timestamptz - r.created_at) FROM due
     WHERE r.id = due.id RETURNING ${COLUMNS.replaceAll(/\b(\w+)\b/g, 'r.$1')}`,
    [now, pauseMs, limit],
  );
  return rows;
}
