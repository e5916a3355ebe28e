import type { Queryable } from '@tollgate/postgres';
import {
  type InsertProcessorPaymentInput,
  insertProcessorPayment,
  updateProcessorPayment,
} from '../gen/payments/processor-payments.js';

/** A payment, refund or dispute as the processor reports it. */
export interface ProcessorPayment {
  /** The processor's id of the invoice, refund or dispute. */
  ref: string;
  kind: 'subscription' | 'renewal' | 'tier_change' | 'invoice' | 'refund' | 'dispute';
  status: 'completed' | 'failed' | 'processing' | 'disputed' | 'won' | 'lost';
  accountId: string;
  projectId: string;
  customerId: string;
  tierId?: string | undefined;
  /** The payment that a refund or dispute is about. */
  parentId?: string | undefined;
  amountCents: bigint;
  /** Part of the amount. */
  taxCents?: bigint | undefined;
  /** Paid back or disputed. */
  reversedCents: bigint;
  currency: string;
  period?: { start: Date; end: Date } | undefined;
  intentId?: string | undefined;
  invoiceUrl?: string | undefined;
  receiptUrl?: string | undefined;
  failure?: string | undefined;
  attemptCount?: number | undefined;
  createdAt: Date;
  paidAt?: Date | undefined;
}

/** The recorded state before a report. Undefined: the first report. */
export interface RecordedPayment {
  id: string;
  paidAt: Date | null;
  attemptCount: number;
}

interface Row {
  id: string;
  ref: string | null;
  ticket: bigint | null;
  paidAt: Date | null;
  attemptCount: number;
}

const ROW = `id, processor_ref AS ref, ticket, paid_at AS "paidAt", coalesce(attempt_count, 0) AS "attemptCount"`;

/**
 * Records a report under the processor's id; `ticket` was drawn before the processor was read. Returns the record's id and its
 * former state, or undefined if a later report is recorded already. A paid purchase is recorded in its order.
 */
export async function putProcessorPayment(
  tx: Queryable,
  payment: ProcessorPayment,
  { newId, ticket, orderId }: { newId: string; ticket: bigint; orderId?: string | undefined },
): Promise<{ id: string; before: RecordedPayment | undefined } | undefined> {
  const order = orderId === undefined ? undefined : await lockOrderFor(tx, orderId, payment.ref);
  const known = await lockRecord(tx, payment.ref);
  const report = toReport(payment, ticket);
  if (!order && !known && (await insertProcessorPayment(tx, { ...report, id: newId })) === 1)
    return { id: newId, before: undefined };
  const before = known ?? order ?? (await lockRecord(tx, payment.ref));
  if (!before || (before.ticket !== null && before.ticket >= ticket)) return undefined;
  const target = order ?? before;
  // A failed attempt that was paid later continues as the order's payment.
  if (known && known.id !== target.id) await tx.query('DELETE FROM payment_orders WHERE id = $1', [known.id]);
  await updateProcessorPayment(tx, { ...report, id: target.id });
  return { id: target.id, before: before.ref === null ? undefined : before };
}

async function lockRecord(tx: Queryable, ref: string): Promise<Row | undefined> {
  const { rows } = await tx.query<Row>(`SELECT ${ROW} FROM payment_orders WHERE processor_ref = $1 FOR UPDATE`, [ref]);
  return rows[0];
}

/** Returns the order unless it has another payment. */
async function lockOrderFor(tx: Queryable, id: string, ref: string): Promise<Row | undefined> {
  const { rows } = await tx.query<Row>(
    `SELECT ${ROW} FROM payment_orders WHERE id = $1 AND kind IN ('subscription', 'tier_change')
       AND coalesce(processor_ref, $2) = $2 FOR UPDATE`,
    [id, ref],
  );
  return rows[0];
}

function toReport(payment: ProcessorPayment, ticket: bigint): Omit<InsertProcessorPaymentInput, 'id'> {
  return {
    ...payment,
    ticket,
    tierId: payment.tierId ?? null,
    parentId: payment.parentId ?? null,
    taxCents: payment.taxCents ?? null,
    periodStart: payment.period?.start ?? null,
    periodEnd: payment.period?.end ?? null,
    intentId: payment.intentId ?? null,
    invoiceUrl: payment.invoiceUrl ?? null,
    receiptUrl: payment.receiptUrl ?? null,
    failure: payment.failure?.slice(0, 500) ?? null,
    attemptCount: payment.attemptCount ?? null,
    paidAt: payment.paidAt ?? null,
  };
}
