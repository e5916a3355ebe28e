import type { Tx } from '@tollgate/postgres';

/**
 * Serializes what adds to something of a project until the transaction ends, so that what is counted next is exact. Comes as late as
 * possible: other processes wait for it on their connections.
 */
export async function lockProject(
  tx: Tx,
  what: 'files' | 'batches' | 'background_responses',
  projectId: string,
): Promise<void> {
  await tx.query({
    name: 'project.lock',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`${what}/${projectId}`],
  });
}
