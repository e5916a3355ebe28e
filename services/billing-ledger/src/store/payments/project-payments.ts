import type { Queryable } from '@tollgate/postgres';
import { ORDER_COLUMNS, type OrderStatus, type PaymentOrder } from './payment-orders.js';

export interface PaymentFilter {
  projectId: string;
  customerId: string | undefined;
  kind: string | undefined;
  status: OrderStatus | undefined;
}

export interface PaymentPage {
  take: number;
  /** The place in the list before the page. */
  after: { createdAt: Date; id: string } | undefined;
}

/** Lists the purchases of a project's customers, newest first. */
export async function listProjectPayments(
  db: Queryable,
  { projectId, customerId, kind, status }: PaymentFilter,
  { take, after }: PaymentPage,
): Promise<PaymentOrder[]> {
  const { rows } = await db.query<PaymentOrder>(
    `SELECT ${ORDER_COLUMNS} FROM payment_orders
      WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2) AND ($3::text IS NULL OR kind = $3)
        AND ($4::text IS NULL OR status = $4) AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::uuid))
      ORDER BY created_at DESC, id DESC LIMIT $7`,
    [projectId, customerId ?? null, kind ?? null, status ?? null, after?.createdAt ?? null, after?.id ?? null, take],
  );
  return rows;
}
