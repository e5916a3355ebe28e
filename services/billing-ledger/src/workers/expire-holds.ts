import { createLoop, elapsed, type Logger, type Loop } from '@tollgate/runtime';
import { holdFromRow } from '../domain/hold.js';
import type { SettleItem } from '../operations/holds/settle-item.js';
import type { Pool } from '../store/database.js';
import { findExpiredHolds } from '../store/holds/open-holds.js';
import type { LedgerWriter } from './ledger-writer.js';

const BATCH_MAX = 200;
const VERDICT_TIMEOUT_MS = 10_000;

/**
 * Gives every expired hold its verdict, so that a crashed request does not block funds forever. Runs on every replica; the
 * settling statement ends each hold once.
 */
export function createExpiryWorker(deps: {
  pool: Pool;
  writer: LedgerWriter;
  logger: Logger;
  intervalMs: number;
  onEvents: () => void;
}): Loop {
  return createLoop({
    name: 'expire-holds',
    intervalMs: deps.intervalMs,
    logger: deps.logger,
    run: async () => {
      const rows = await findExpiredHolds(deps.pool, BATCH_MAX);
      if (rows.length === 0) return false;
      const caller = { deadline: elapsed() + VERDICT_TIMEOUT_MS, isAborted: false };
      await Promise.all(
        rows.map((row) => {
          const used = { inputTokens: row.progress_input_tokens, outputTokens: row.progress_output_tokens, images: 0n };
          const item: SettleItem = {
            holdId: row.request_id,
            ownerAccountId: row.owner_account_id,
            kind: 'expire',
            isInDoubt: true,
            used,
            usage: undefined,
            facts: undefined,
            owner: undefined,
            hold: holdFromRow(row),
          };
          return deps.writer.settle(item, caller);
        }),
      );
      deps.logger.warn({ holds: rows.length }, 'holds expired without a usage report');
      deps.onEvents();
      return rows.length === BATCH_MAX;
    },
  });
}
