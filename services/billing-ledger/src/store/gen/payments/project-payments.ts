// Generated from payments/project-payments.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { PaymentKind, PaymentStatus } from '../../../store/payments/payment-orders.js';

export interface ListProjectPaymentsInput {
  projectId: string;
  customerId: string | null;
  kind: string | null;
  statuses: readonly (string | null)[] | null;
  from: Date | null;
  to: Date | null;
  afterCreatedAt: Date | null;
  afterId: string | null;
  take: bigint | number;
}

export interface ListProjectPaymentsRow {
  id: string;
  kind: PaymentKind;
  status: PaymentStatus;
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
  parent_id: string | null;
  tax_cents: bigint | null;
  period_start: Date | null;
  period_end: Date | null;
  invoice_url: string | null;
  receipt_url: string | null;
}

const LIST_PROJECT_PAYMENTS = `
  SELECT id, kind, status, account_id, project_id, customer_id, tier_id, amount_cents, currency, reversed_cents, session_id,
    session_url, setup_intent_id, payment_intent_id, failure, created_at, expires_at, ended_at, undo_requested_at, undo_at,
    parent_id, tax_cents, period_start, period_end, invoice_url, receipt_url
  FROM payment_orders
  WHERE project_id = $1
    AND ($2::uuid IS NULL OR customer_id = $2)
    AND ($3::text IS NULL OR kind = $3)
    AND ($4::text[] IS NULL OR status = ANY ($4))
    AND ($5::timestamptz IS NULL OR created_at >= $5)
    AND ($6::timestamptz IS NULL OR created_at < $6)
    AND ($7::timestamptz IS NULL OR (created_at, id) < ($7, $8::uuid))
  ORDER BY created_at DESC, id DESC
  LIMIT $9`;

/**
 * Is planned at each call: the plan depends on the filters.
 * Lists the payments of a project's customers, newest first.
 */
export async function listProjectPayments(db: Queryable, input: ListProjectPaymentsInput): Promise<ListProjectPaymentsRow[]> {
  const { rows } = await db.query<ListProjectPaymentsRow>({
    text: LIST_PROJECT_PAYMENTS,
    values: [
      input.projectId,
      input.customerId,
      input.kind,
      input.statuses,
      input.from,
      input.to,
      input.afterCreatedAt,
      input.afterId,
      input.take,
    ],
  });
  return rows;
}

export interface AddUpProjectPaymentsInput {
  projectId: string;
  customerId: string | null;
  kind: string | null;
  statuses: readonly (string | null)[] | null;
  from: Date | null;
  to: Date | null;
}

export interface AddUpProjectPaymentsRow {
  currency: string;
  receivedCents: bigint;
  taxCents: bigint;
  refundedCents: bigint;
  disputedCents: bigint;
  count: bigint;
}

const ADD_UP_PROJECT_PAYMENTS = `
  WITH payments AS (
    SELECT currency, kind, status, amount_cents, tax_cents,
      kind NOT IN ('refund', 'dispute') AND status = 'completed' AND amount_cents IS NOT NULL AS is_received
    FROM payment_orders
    WHERE project_id = $1 AND currency IS NOT NULL
      AND ($2::uuid IS NULL OR customer_id = $2)
      AND ($3::text IS NULL OR kind = $3)
      AND ($4::text[] IS NULL OR status = ANY ($4))
      AND ($5::timestamptz IS NULL OR created_at >= $5)
      AND ($6::timestamptz IS NULL OR created_at < $6)
  )
  SELECT currency AS "currency",
    coalesce(sum(amount_cents) FILTER (WHERE is_received), 0)::bigint AS "receivedCents",
    coalesce(sum(tax_cents) FILTER (WHERE is_received), 0)::bigint AS "taxCents",
    coalesce(sum(amount_cents) FILTER (WHERE kind = 'refund' AND status IN ('completed', 'processing')), 0)::bigint
      AS "refundedCents",
    coalesce(sum(amount_cents) FILTER (WHERE kind = 'dispute' AND status IN ('disputed', 'lost')), 0)::bigint
      AS "disputedCents",
    count(*) FILTER (WHERE is_received) AS "count"
  FROM payments
  GROUP BY currency
  ORDER BY currency`;

/**
 * Is planned at each call: the plan depends on the filters.
 * Adds up the payments of a project's customers per currency.
 */
export async function addUpProjectPayments(db: Queryable, input: AddUpProjectPaymentsInput): Promise<AddUpProjectPaymentsRow[]> {
  const { rows } = await db.query<AddUpProjectPaymentsRow>({
    text: ADD_UP_PROJECT_PAYMENTS,
    values: [
      input.projectId,
      input.customerId,
      input.kind,
      input.statuses,
      input.from,
      input.to,
    ],
  });
  return rows;
}
