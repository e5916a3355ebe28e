import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { deleteArchivedTransfers, deleteInBatches } from '../../store/retention.js';

const ROWS_PER_PASS = 1_000;

/** Deletes rows past their retention, one bounded batch per table. Returns true if more may remain. */
export async function deleteOldRows({ config, pool }: Pick<Context, 'config' | 'pool'>): Promise<boolean> {
  const { retention, journal } = config;
  const hasMore = await deleteInBatches(pool, retention, ROWS_PER_PASS);
  if (!journal.deletesArchived) return hasMore;
  const deleted = await withTransaction(pool, (tx) => deleteArchivedTransfers(tx, retention.holdDays, ROWS_PER_PASS));
  return deleted || hasMore;
}
