import type { Queryable } from '@tollgate/postgres';

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
  kind: PayerKind,
  refId: string,
  processorCustomerId: string,
): Promise<void> {
  await db.query(
    `INSERT INTO processor_customers (ref_kind, ref_id, processor_customer_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [kind, refId, processorCustomerId],
  );
}
