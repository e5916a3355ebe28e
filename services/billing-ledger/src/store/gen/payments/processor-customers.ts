// Generated from payments/processor-customers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface TakeDueEmailsInput {
  now: Date;
  limit: bigint | number;
  retryAt: Date;
}

export interface TakeDueEmailsRow {
  processorCustomerId: string;
  email: string | null;
}

const TAKE_DUE_EMAILS = `
  WITH due AS (
    SELECT processor_customer_id FROM processor_customers
    WHERE email_due_at <= $1
    ORDER BY email_due_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE processor_customers p SET email_due_at = $3
  WHERE p.processor_customer_id = ANY (ARRAY(SELECT processor_customer_id FROM due))
  RETURNING p.processor_customer_id AS "processorCustomerId", (SELECT c.email FROM customers c WHERE c.id = p.ref_id) AS email`;

/** Claims customers whose email is due and schedules the next attempt. The email of a deleted customer is null. */
export async function takeDueEmails(db: Queryable, input: TakeDueEmailsInput): Promise<TakeDueEmailsRow[]> {
  const { rows } = await db.query<TakeDueEmailsRow>({
    name: 'take_due_emails',
    text: TAKE_DUE_EMAILS,
    values: [
      input.now,
      input.limit,
      input.retryAt,
    ],
  });
  return rows;
}
