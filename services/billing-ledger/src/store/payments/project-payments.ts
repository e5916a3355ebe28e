import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/project-payments.js';
import type { OrderStatus, PaymentOrder } from './payment-orders.js';

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
  return sql.listProjectPayments(db, {
    projectId,
    customerId: customerId ?? null,
    kind: kind ?? null,
    status: status ?? null,
    afterCreatedAt: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    take,
  });
}
