import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/processor-customers.js';

export type PayerKind = 'customer' | 'account';

export async function findProcessorCustomer(
  db: Queryable,
  kind: PayerKind,
  refId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT processor_customer_id AS id FROM processor_customers WHERE ref_kind = $1 AND ref_id = $2',
    [kind, refId],
  );
  return rows[0]?.id;
}

/** Stores the processor's customer unless one is stored already. */
export async function keepProcessorCustomer(
  db: Queryable,
  customer: { kind: PayerKind; refId: string; processorCustomerId: string; email: string | undefined },
): Promise<void> {
  const { kind, refId, processorCustomerId, email } = customer;
  await db.query(
    `INSERT INTO processor_customers (ref_kind, ref_id, processor_customer_id, email, history_due_at)
     VALUES ($1, $2, $3, $4, NULL) ON CONFLICT DO NOTHING`,
    [kind, refId, processorCustomerId, email ?? null],
  );
}

/** Makes a customer's email due at the processor if that was given another one. Returns false if nothing is due. */
export async function noteEmailChanged(tx: Queryable, customerId: string, email: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE processor_customers SET email_due_at = $3
     WHERE ref_kind = 'customer' AND ref_id = $1 AND email IS DISTINCT FROM $2`,
    [customerId, email, now],
  );
  return rowCount === 1;
}

export interface DueEmail {
  processorCustomerId: string;
  /** Null if the customer was deleted. */
  email: string | null;
}

/** Claims customers whose email is due and schedules the next attempt. */
export async function takeDueEmails(db: Queryable, now: Date, retryAt: Date, limit: number): Promise<DueEmail[]> {
  return sql.takeDueEmails(db, { now, retryAt, limit });
}

/** Records the email that the processor was given. An email that was changed in the meantime stays due. */
export async function noteEmailSent(db: Queryable, { processorCustomerId, email }: DueEmail): Promise<void> {
  await db.query(
    `UPDATE processor_customers p SET email = $2, email_due_at = CASE
       WHEN EXISTS (SELECT 1 FROM customers c WHERE c.id = p.ref_id AND c.email IS DISTINCT FROM $2) THEN email_due_at END
     WHERE processor_customer_id = $1`,
    [processorCustomerId, email],
  );
}

/** Stores another customer of the processor, unless the deleted one is replaced already. */
export async function replaceProcessorCustomer(
  db: Queryable,
  deletedId: string,
  processorCustomerId: string,
): Promise<void> {
  await db.query('UPDATE processor_customers SET processor_customer_id = $2 WHERE processor_customer_id = $1', [
    deletedId,
    processorCustomerId,
  ]);
}
