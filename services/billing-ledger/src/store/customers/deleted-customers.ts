import type { Queryable } from '@tollgate/postgres';

export interface DeletedCustomer {
  id: string;
  projectId: string;
  accountId: string;
}

export async function insertDeletedCustomer(tx: Queryable, customer: DeletedCustomer, deletedAt: Date): Promise<void> {
  await tx.query(
    'INSERT INTO deleted_customers (id, project_id, account_id, deleted_at, check_at) VALUES ($1, $2, $3, $4, $4)',
    [customer.id, customer.projectId, customer.accountId, deletedAt],
  );
}

/**
 * Claims one customer whose wallet is due for a check and schedules the next one: after `pauseMs` at first, then at growing
 * intervals, and not at all once `watchMs` have passed since the deletion.
 */
export async function takeDeletedCustomer(
  tx: Queryable,
  now: Date,
  watch: { pauseMs: number; watchMs: number },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `WITH due AS (
       SELECT id FROM deleted_customers WHERE check_at <= $1 ORDER BY check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE deleted_customers c
     SET check_at = CASE WHEN $1::timestamptz < c.deleted_at + $3 * interval '1 millisecond'
       THEN $1::timestamptz + greatest($2 * interval '1 millisecond', $1::timestamptz - c.deleted_at) END
     FROM due WHERE c.id = due.id RETURNING c.id`,
    [now, watch.pauseMs, watch.watchMs],
  );
  return rows[0]?.id;
}
