import type { Queryable } from '@tollgate/postgres';

/** Claims the grant. Returns false if the project's external id ever had one. */
export async function claimPromo(tx: Queryable, projectId: string, externalId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'INSERT INTO promo_grants (project_id, external_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [projectId, externalId],
  );
  return rowCount === 1;
}

export async function hasPromo(db: Queryable, projectId: string, externalId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT 1 FROM promo_grants WHERE project_id = $1 AND external_id = $2', [
    projectId,
    externalId,
  ]);
  return rowCount === 1;
}
