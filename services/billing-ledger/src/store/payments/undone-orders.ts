import type { Queryable } from '@tollgate/postgres';
import { ORDER_COLUMNS, type PaymentOrder } from './payment-orders.js';

// Purchases whose customer or project was deleted. See operations/payments/undo-orders.ts.

/** Marks every open purchase of a customer to be undone. */
export async function undoOrdersOfCustomer(tx: Queryable, customerId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = $2, undo_at = $2 WHERE id IN (
       SELECT id FROM payment_orders WHERE customer_id = $1 AND status = 'open' AND undo_at IS NULL
       ORDER BY id FOR UPDATE)`,
    [customerId, now],
  );
}

/** Marks every open purchase of a project to be undone. */
export async function undoOrdersOfProject(tx: Queryable, projectId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = $2, undo_at = $2 WHERE id IN (
       SELECT id FROM payment_orders WHERE project_id = $1 AND status = 'open' AND undo_at IS NULL
       ORDER BY id FOR UPDATE)`,
    [projectId, now],
  );
}

/** Marks one purchase to be undone, even if it was undone before: another payment arrived. */
export async function undoOrder(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = coalesce(undo_requested_at, $2), undo_at = $2 WHERE id = $1`,
    [id, now],
  );
}

/**
 * Claims marked orders and schedules their next attempts at growing intervals: replicas do not work on the same order, and
 * an order that cannot be undone does not block others.
 */
export async function takeOrdersToUndo(
  db: Queryable,
  now: Date,
  pauseMs: number,
  limit: number,
): Promise<PaymentOrder[]> {
  const { rows } = await db.query<PaymentOrder>(
    `WITH due AS (
       SELECT id FROM payment_orders WHERE undo_at <= $1 ORDER BY undo_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     UPDATE payment_orders o
     SET undo_at = $1::timestamptz + greatest($2 * interval '1 millisecond', $1::timestamptz - o.undo_requested_at)
     FROM due WHERE o.id = due.id RETURNING ${ORDER_COLUMNS.replaceAll(/\b(\w+)\b/g, 'o.$1')}`,
    [now, pauseMs, limit],
  );
  return rows;
}

const UNDO_COUNTED_MAX = 10_000;

/** Measures the age from `undo_requested_at`, because every attempt postpones `undo_at`. */
export const PENDING_UNDOS = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(undo_requested_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT undo_requested_at FROM payment_orders WHERE undo_at IS NOT NULL LIMIT ${UNDO_COUNTED_MAX}) AS waiting`;

export async function readPendingUndos(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(PENDING_UNDOS);
  return rows[0]!;
}

/** Returns true if this call completed the undo. False also if a payment has arrived that is not among the undone ones. */
export async function finishUndo(tx: Queryable, id: string, payments: readonly string[]): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payment_orders SET undo_at = NULL WHERE id = $1 AND undo_at IS NOT NULL
       AND (payment_intent_id IS NULL OR payment_intent_id = ANY ($2))`,
    [id, payments],
  );
  return rowCount === 1;
}

/** Records refunds that are about to be reported, and returns those that were not reported before. */
export async function noteReportedRefunds<R extends { id: string }>(
  tx: Queryable,
  orderId: string,
  refunds: readonly R[],
): Promise<R[]> {
  if (refunds.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    `INSERT INTO reported_refunds (id, order_id) SELECT unnest($2::text[]), $1
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [orderId, refunds.map(({ id }) => id)],
  );
  return refunds.filter(({ id }) => rows.some((row) => row.id === id));
}
