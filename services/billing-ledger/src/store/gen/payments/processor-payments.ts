// Generated from payments/processor-payments.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertProcessorPaymentInput {
  id: string;
  ref: string;
  ticket: bigint | number;
  kind: string;
  accountId: string;
  projectId: string;
  customerId: string;
  tierId: string | null;
  parentId: string | null;
  createdAt: Date;
  status: string;
  amountCents: bigint | number;
  taxCents: bigint | number | null;
  reversedCents: bigint | number;
  currency: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  intentId: string | null;
  invoiceUrl: string | null;
  receiptUrl: string | null;
  failure: string | null;
  attemptCount: number | null;
  paidAt: Date | null;
}

const INSERT_PROCESSOR_PAYMENT = `
  INSERT INTO payment_orders (id, processor_ref, ticket, kind, account_id, project_id, customer_id, tier_id, parent_id,
    created_at, check_at, status, amount_cents, tax_cents, reversed_cents, currency, period_start, period_end,
    payment_intent_id, invoice_url, receipt_url, failure, attempt_count, paid_at, ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
    $10, 'infinity', $11, $12, $13, $14, $15, $16, $17,
    $18, $19, $20, $21, $22, $23,
    coalesce($23::timestamptz, $10::timestamptz))
  ON CONFLICT (processor_ref) WHERE processor_ref IS NOT NULL DO NOTHING`;

/**
 * Records a report for the first time; does nothing if the processor's id is recorded already. Its check is never due: the row is
 * no request to the processor.
 */
export async function insertProcessorPayment(db: Queryable, input: InsertProcessorPaymentInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_processor_payment',
    text: INSERT_PROCESSOR_PAYMENT,
    values: [
      input.id,
      input.ref,
      input.ticket,
      input.kind,
      input.accountId,
      input.projectId,
      input.customerId,
      input.tierId,
      input.parentId,
      input.createdAt,
      input.status,
      input.amountCents,
      input.taxCents,
      input.reversedCents,
      input.currency,
      input.periodStart,
      input.periodEnd,
      input.intentId,
      input.invoiceUrl,
      input.receiptUrl,
      input.failure,
      input.attemptCount,
      input.paidAt,
    ],
  });
  return rowCount ?? 0;
}

export interface UpdateProcessorPaymentInput {
  ref: string;
  ticket: bigint | number;
  status: string;
  amountCents: bigint | number;
  taxCents: bigint | number | null;
  reversedCents: bigint | number;
  currency: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  intentId: string | null;
  invoiceUrl: string | null;
  receiptUrl: string | null;
  failure: string | null;
  attemptCount: number | null;
  paidAt: Date | null;
  id: string;
}

const UPDATE_PROCESSOR_PAYMENT = `
  UPDATE payment_orders
  SET processor_ref = $1, ticket = $2, status = $3, amount_cents = $4, tax_cents = $5,
    reversed_cents = $6, currency = $7, period_start = $8, period_end = $9,
    payment_intent_id = $10, invoice_url = $11, receipt_url = $12, failure = $13,
    attempt_count = $14, paid_at = $15, ended_at = coalesce($15::timestamptz, ended_at)
  WHERE id = $16`;

/** Replaces what is recorded of a payment by a later report. */
export async function updateProcessorPayment(db: Queryable, input: UpdateProcessorPaymentInput): Promise<void> {
  await db.query({
    name: 'update_processor_payment',
    text: UPDATE_PROCESSOR_PAYMENT,
    values: [
      input.ref,
      input.ticket,
      input.status,
      input.amountCents,
      input.taxCents,
      input.reversedCents,
      input.currency,
      input.periodStart,
      input.periodEnd,
      input.intentId,
      input.invoiceUrl,
      input.receiptUrl,
      input.failure,
      input.attemptCount,
      input.paidAt,
      input.id,
    ],
  });
}

export interface FindPayerInput {
  subscriptionId: string | null;
  processorCustomerId: string;
}

export interface FindPayerRow {
  customerId: string;
  projectId: string;
  accountId: string;
  tierId: string | null;
}

const FIND_PAYER = `
  SELECT p.customer_id AS "customerId", coalesce(c.project_id, d.project_id) AS "projectId",
    coalesce(c.account_id, d.account_id) AS "accountId", p.tier_id AS "tierId"
  FROM (
    SELECT customer_id, tier_id, 1 AS rank FROM processor_subscriptions WHERE id = $1
    UNION ALL
    SELECT ref_id, NULL, 2 FROM processor_customers
    WHERE processor_customer_id = $2 AND ref_kind = 'customer'
  ) AS p
  LEFT JOIN customers c ON c.id = p.customer_id
  LEFT JOIN deleted_customers d ON d.id = p.customer_id
  WHERE coalesce(c.project_id, d.project_id) IS NOT NULL
  ORDER BY p.rank
  LIMIT 1`;

/** Finds the customer of one of the processor's customers or subscriptions, also a deleted one, and the tier of the subscription. */
export async function findPayer(db: Queryable, input: FindPayerInput): Promise<FindPayerRow | undefined> {
  const { rows } = await db.query<FindPayerRow>({
    name: 'find_payer',
    text: FIND_PAYER,
    values: [
      input.subscriptionId,
      input.processorCustomerId,
    ],
  });
  return rows[0];
}

export interface TakeDueHistoriesInput {
  now: Date;
  limit: bigint | number;
  retryAt: Date;
}

export interface TakeDueHistoriesRow {
  processorCustomerId: string;
  cursor: string | null;
}

const TAKE_DUE_HISTORIES = `
  WITH due AS (
    SELECT processor_customer_id
    FROM processor_customers
    WHERE history_due_at <= $1
    ORDER BY history_due_at
    LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE processor_customers
  SET history_due_at = $3
  WHERE processor_customer_id = ANY (ARRAY(SELECT processor_customer_id FROM due))
  RETURNING processor_customer_id AS "processorCustomerId", history_cursor AS "cursor"`;

/** Claims customers whose payments were not read yet, and schedules the next attempt. */
export async function takeDueHistories(db: Queryable, input: TakeDueHistoriesInput): Promise<TakeDueHistoriesRow[]> {
  const { rows } = await db.query<TakeDueHistoriesRow>({
    name: 'take_due_histories',
    text: TAKE_DUE_HISTORIES,
    values: [
      input.now,
      input.limit,
      input.retryAt,
    ],
  });
  return rows;
}

export interface NoteHistoryReadInput {
  cursor: string | null;
  dueAt: Date | null;
  processorCustomerId: string;
}

const NOTE_HISTORY_READ = `
  UPDATE processor_customers
  SET history_cursor = coalesce($1::text, history_cursor), history_due_at = $2
  WHERE processor_customer_id = $3`;

/** Records how far a customer's payments were read. `dueAt`: when to read the next page; null if all are read. */
export async function noteHistoryRead(db: Queryable, input: NoteHistoryReadInput): Promise<void> {
  await db.query({
    name: 'note_history_read',
    text: NOTE_HISTORY_READ,
    values: [
      input.cursor,
      input.dueAt,
      input.processorCustomerId,
    ],
  });
}
