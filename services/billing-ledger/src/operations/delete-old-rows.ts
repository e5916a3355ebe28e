import { withTransaction } from '@tollgate/postgres';
import type { PruneStep } from '@tollgate/service';
import type { Config } from '../config.js';
import type { Pool } from '../store/database.js';
import { deleteArchivedTransfers, deleteInBatches, deletePast, RETENTION_RULES } from '../store/retention.js';

const ROWS_PER_PASS = 1_000;

interface RetentionContext {
  config: Pick<Config, 'retention' | 'journal'>;
  pool: Pool;
}

/** Deletes rows past their retention, one bounded batch per table. Returns true if more may remain. */
export async function deleteOldRows(ctx: RetentionContext): Promise<boolean> {
  const hasMore = await deleteInBatches(ctx.pool, ctx.config.retention, ROWS_PER_PASS);
  if (!ctx.config.journal.deletesArchived) return hasMore;
  return (await deleteTransfers(ctx, ROWS_PER_PASS)) !== undefined || hasMore;
}

/** Returns the same deletions as steps of the operations CLI. */
export function retentionSteps(ctx: RetentionContext): PruneStep[] {
  const { config, pool } = ctx;
  const steps = RETENTION_RULES.map((rule) => ({
    name: rule.name,
    async run(limit: number) {
      const deleted = await deletePast(pool, rule, config.retention, limit);
      return { deleted, hasMore: deleted === limit };
    },
  }));
  if (!config.journal.deletesArchived) return steps;
  const transfers = {
    name: 'archived transfers',
    async run(limit: number) {
      const deleted = await deleteTransfers(ctx, limit);
      return { deleted: deleted ?? 0, hasMore: deleted !== undefined };
    },
  };
  return [...steps, transfers];
}

function deleteTransfers({ config, pool }: RetentionContext, limit: number): Promise<number | undefined> {
  return withTransaction(pool, (tx) => deleteArchivedTransfers(tx, config.retention.holdDays, limit));
}
