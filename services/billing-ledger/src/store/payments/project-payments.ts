import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/project-payments.js';
import type { ListedPayment, PaymentStatus } from './payment-orders.js';

export interface PaymentFilter {
  projectId: string;
  customerId: string | undefined;
  kind: string | undefined;
  statuses: readonly PaymentStatus[] | undefined;
  /** Time of creation, the end excluded. */
  from: Date | undefined;
  to: Date | undefined;
}

export interface PaymentPage {
  take: number;
  /** The place in the list before the page. */
  after: { createdAt: Date; id: string } | undefined;
}

/** Sums in one currency: completed payments before refunds and disputes, refunds, and open and lost disputes. */
export type PaymentTotals = sql.AddUpProjectPaymentsRow;

/** Lists the payments of a project's customers, newest first. */
export async function listProjectPayments(
  db: Queryable,
  filter: PaymentFilter,
  { take, after }: PaymentPage,
): Promise<ListedPayment[]> {
  const page = { afterCreatedAt: after?.createdAt ?? null, afterId: after?.id ?? null, take };
  return sql.listProjectPayments(db, { ...toInput(filter), ...page });
}

export async function addUpProjectPayments(db: Queryable, filter: PaymentFilter): Promise<PaymentTotals[]> {
  return sql.addUpProjectPayments(db, toInput(filter));
}

function toInput({ projectId, customerId, kind, statuses, from, to }: PaymentFilter): sql.AddUpProjectPaymentsInput {
  return {
    projectId,
    customerId: customerId ?? null,
    kind: kind ?? null,
    statuses: statuses ?? null,
    from: from ?? null,
    to: to ?? null,
  };
}
