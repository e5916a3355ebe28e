import type { Queryable } from '@tollgate/postgres';

/** Claims the trial of the customer's external id. Returns false if another subscription had it. */
export async function claimTrial(tx: Queryable, customerId: string, subscriptionId: string): Promise<boolean> {
  await tx.query(
    `INSERT INTO trial_grants (project_id, external_id, subscription_id)
     SELECT project_id, external_id, $2 FROM customers WHERE id = $1 ON CONFLICT DO NOTHING`,
    [customerId, subscriptionId],
  );
  const { rowCount } = await tx.query(
    `SELECT 1 FROM trial_grants g JOIN customers c USING (project_id, external_id)
     WHERE c.id = $1 AND g.subscription_id = $2`,
    [customerId, subscriptionId],
  );
  return rowCount === 1;
}

export async function hadTrial(db: Queryable, projectId: string, externalId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT 1 FROM trial_grants WHERE project_id = $1 AND external_id = $2', [
    projectId,
    externalId,
  ]);
  return rowCount === 1;
}
