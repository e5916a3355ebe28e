import type { Queryable } from '@tollgate/postgres';
import { ORDER_COLUMNS, type PaymentOrder } from './payment-orders.js';

// Purchases that must not stand, because their customer or project was deleted. See operations/payments/undo-orders.ts.

/** Marks every open purchase of a customer. */
export async function undoOrdersOfCustomer(tx: Queryable, customerId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = $2, undo_at = $2
     WHERE customer_id = $1 AND status = 'open' AND undo_at IS NULL`,
    [customerId, now],
  );
}

/** Marks every open purchase of a project. */
export async function undoOrdersOfProject(tx: Queryable, projectId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = $2, undo_at = $2
     WHERE project_id = $1 AND status = 'open' AND undo_at IS NULL`,
    [projectId, now],
  );
}

/** Marks one purchase, also one that was undone before: another payment of it has arrived. */
export async function undoOrder(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE payment_orders SET undo_requested_at = coalesce(undo_requested_at, $2), undo_at = $2 WHERE id = $1`,
    [id, now],
  );
}

/**
 * Takes marked orders and puts their next attempt off, the older the mark the longer: several replicas never work on one
 * at a time, and one that cannot be undone does not hold up the others.
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

/** True: it was this call that found nothing left to undo. */
export async function finishUndo(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE payment_orders SET undo_at = NULL WHERE id = $1 AND undo_at IS NOT NULL',
    [id],
  );
  return rowCount === 1;
}
