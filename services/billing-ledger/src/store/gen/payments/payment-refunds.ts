// Generated from payments/payment-refunds.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { RefundStatus } from '../../../store/payments/payment-refunds.js';

export interface InsertRefundInput {
  id: string;
  orderId: string;
  accountId: bigint | number;
  ownerAccountId: string;
  cause: string;
  amountCents: bigint | number;
  createdAt: Date;
  checkAt: Date;
}

export interface InsertRefundRow {
  id: string;
  order_id: string;
  account_id: bigint;
  amount_cents: bigint;
  status: RefundStatus;
  failure: string | null;
  created_at: Date;
  ended_at: Date | null;
}

const INSERT_REFUND = `
  INSERT INTO payment_refunds (id, order_id, account_id, owner_account_id, cause, amount_cents, created_at, check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING id, order_id, account_id, amount_cents, status, failure, created_at, ended_at`;

export async function insertRefund(db: Queryable, input: InsertRefundInput): Promise<InsertRefundRow | undefined> {
  const { rows } = await db.query<InsertRefundRow>({
    name: 'insert_refund',
    text: INSERT_REFUND,
    values: [
      input.id,
      input.orderId,
      input.accountId,
      input.ownerAccountId,
      input.cause,
      input.amountCents,
      input.createdAt,
      input.checkAt,
    ],
  });
  return rows[0];
}

export interface EndRefundInput {
  id: string;
  status: string;
  at: Date;
  failure: string | null;
}

export interface EndRefundRow {
  id: string;
  order_id: string;
  account_id: bigint;
  amount_cents: bigint;
  status: RefundStatus;
  failure: string | null;
  created_at: Date;
  ended_at: Date | null;
  before: RefundStatus;
}

const END_REFUND = `
  WITH former AS (
    SELECT id, status FROM payment_refunds WHERE id = $1 AND status <> $2 AND status <> 'failed' FOR UPDATE
  )
  UPDATE payment_refunds r SET status = $2, ended_at = $3, failure = $4
  FROM former
  WHERE r.id = former.id
  RETURNING r.id, r.order_id, r.account_id, r.amount_cents, r.status, r.failure, r.created_at, r.ended_at, former.status AS before`;

/**
 * Ends a refund and returns it with the status that it had, unless it already has the status, or failed: a failed refund never
 * succeeds. A succeeded one can fail days later.
 */
export async function endRefund(db: Queryable, input: EndRefundInput): Promise<EndRefundRow | undefined> {
  const { rows } = await db.query<EndRefundRow>({
    name: 'end_refund',
    text: END_REFUND,
    values: [
      input.id,
      input.status,
      input.at,
      input.failure,
    ],
  });
  return rows[0];
}

export interface TakeOverdueRefundsInput {
  now: Date;
  limit: bigint | number;
  pauseMs: number;
}

export interface TakeOverdueRefundsRow {
  id: string;
  order_id: string;
  account_id: bigint;
  amount_cents: bigint;
  status: RefundStatus;
  failure: string | null;
  created_at: Date;
  ended_at: Date | null;
}

const TAKE_OVERDUE_REFUNDS = `
  WITH due AS (
    SELECT id FROM payment_refunds
    WHERE status = 'pending' AND check_at <= $1::timestamptz
    ORDER BY check_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE payment_refunds r
  SET check_at = $1 + greatest($3::int * interval '1 millisecond', $1 - r.created_at)
  WHERE r.id = ANY (ARRAY(SELECT id FROM due))
  RETURNING r.id, r.order_id, r.account_id, r.amount_cents, r.status, r.failure, r.created_at, r.ended_at`;

/** Claims pending refunds whose outcome is overdue, and schedules their next check with a delay that grows with their age. */
export async function takeOverdueRefunds(db: Queryable, input: TakeOverdueRefundsInput): Promise<TakeOverdueRefundsRow[]> {
  const { rows } = await db.query<TakeOverdueRefundsRow>({
    name: 'take_overdue_refunds',
    text: TAKE_OVERDUE_REFUNDS,
    values: [
      input.now,
      input.limit,
      input.pauseMs,
    ],
  });
  return rows;
}
