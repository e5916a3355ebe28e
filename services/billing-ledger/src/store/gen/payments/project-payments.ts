// Generated from payments/project-payments.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { OrderKind, OrderStatus } from '../../../store/payments/payment-orders.js';

export interface ListProjectPaymentsInput {
  projectId: string;
  customerId: string | null;
  kind: string | null;
  status: string | null;
  afterCreatedAt: Date | null;
  afterId: string | null;
  take: bigint | number;
}

export interface ListProjectPaymentsRow {
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
  undo_requested_at: Date | null;
  undo_at: Date | null;
}

const LIST_PROJECT_PAYMENTS = `
  SELECT id, kind, status, account_id, project_id, customer_id, tier_id, amount_cents, currency, reversed_cents,
    session_id, session_url, setup_intent_id, payment_intent_id, failure, created_at, expires_at, ended_at,
    undo_requested_at, undo_at
  FROM payment_orders
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
    AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::uuid))
  ORDER BY created_at DESC, id DESC
  LIMIT $7`;

/**
 * Lists the purchases of a project's customers, newest first.
 * Is planned at each call: its filters are optional.
 */
export async function listProjectPayments(db: Queryable, input: ListProjectPaymentsInput): Promise<ListProjectPaymentsRow[]> {
  const { rows } = await db.query<ListProjectPaymentsRow>({
    text: LIST_PROJECT_PAYMENTS,
    values: [
      input.projectId,
      input.customerId,
      input.kind,
      input.status,
      input.afterCreatedAt,
      input.afterId,
      input.take,
    ],
  });
  return rows;
}
