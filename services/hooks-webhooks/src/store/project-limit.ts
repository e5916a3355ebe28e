import type { Tx } from '@tollgate/postgres';
import type { SecretTable } from './sealed-secrets.js';

/**
 * Serializes the inserts of one project into one table until the transaction ends, so that a count of its rows stays
 * true until the insert. The count has to be a later statement: it must see the rows of the lock's last holder.
 */
export async function lockProject(tx: Tx, table: SecretTable, projectId: string): Promise<void> {
  await tx.query({
    name: 'project_limit.lock',
    text: 'SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1))',
    values: [`${table} of ${projectId}`],
  });
}
