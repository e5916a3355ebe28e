import { setTimeout as sleep } from 'node:timers/promises';
import { createLoop, elapsed, type Logger, type Loop } from '@tollgate/runtime';
import { holdFromRow } from '../domain/hold.js';
import type { SettleItem } from '../operations/holds/settle-item.js';
import type { Pool } from '../store/database.js';
import { claimExpiredHolds } from '../store/gen/holds/claim-expired-holds.js';
import type { HoldRow } from '../store/holds/open-holds.js';
import type { LedgerWriter } from '../writer/ledger-writer.js';

const BATCH_MAX = 200;
const VERDICT_TIMEOUT_MS = 10_000;
/** Longer than a verdict can take: a claim of a replica that stopped is free again afterwards. */
const CLAIM_MS = VERDICT_TIMEOUT_MS + 5_000;
/** How long one pass waits for its verdicts. Owners whose rows are locked are then left out of the next passes. */
const PASS_MS = 500;
/** Owners whose verdicts may be waiting at once. */
const WAITING_OWNERS_MAX = 100;

interface ExpiryParts {
  pool: Pool;
  writer: LedgerWriter;
  logger: Logger;
  intervalMs: number;
  onEvents: () => void;
}

/**
 * Gives every expired hold its verdict, so that a crashed request does not block funds forever. Runs on every replica; each
 * claims other holds. An owner whose verdicts wait for locked rows delays no other owner.
 */
export function createExpiryWorker(parts: ExpiryParts): Loop {
  const waiting = new Map<string, Promise<void>>();
  return createLoop({
    name: 'expire-holds',
    intervalMs: parts.intervalMs,
    logger: parts.logger,
    run: async () => {
      if (waiting.size >= WAITING_OWNERS_MAX) await Promise.race(waiting.values());
      const claim = { limit: BATCH_MAX, except: [...waiting.keys()], claimMs: CLAIM_MS };
      const rows = await claimExpiredHolds(parts.pool, claim);
      if (rows.length === 0) return false;
      for (const owner of new Set(rows.map((row) => row.owner_account_id))) {
        const holds = rows.filter((row) => row.owner_account_id === owner);
        const ending = endHolds(parts, owner, holds).finally(() => waiting.delete(owner));
        waiting.set(owner, ending);
      }
      await withinPass(waiting.values());
      parts.logger.warn({ holds: rows.length }, 'holds expired without a usage report');
      parts.onEvents();
      return rows.length === BATCH_MAX;
    },
  });
}

/** Resolves when all are done, or when the pass is over. */
async function withinPass(endings: Iterable<Promise<void>>): Promise<void> {
  const pass = new AbortController();
  const isOver = sleep(PASS_MS, undefined, { signal: pass.signal, ref: false }).catch(() => undefined);
  await Promise.race([Promise.all(endings), isOver]);
  pass.abort();
}

/** Ends an owner's holds. A hold without a verdict is claimed again when its claim has ended. */
async function endHolds(parts: ExpiryParts, owner: string, rows: readonly HoldRow[]): Promise<void> {
  const caller = { deadline: elapsed() + VERDICT_TIMEOUT_MS, isAborted: false };
  const verdicts = await Promise.allSettled(rows.map((row) => parts.writer.settle(toVerdict(row), caller)));
  const failed = verdicts.filter(({ status }) => status === 'rejected');
  if (failed.length === 0) return;
  const [first] = failed as PromiseRejectedResult[];
  parts.logger.warn(
    { err: first?.reason, owner_account_id: owner, holds: failed.length },
    'expired holds not ended yet',
  );
}

function toVerdict(row: HoldRow): SettleItem {
  return {
    holdId: row.request_id,
    ownerAccountId: row.owner_account_id,
    kind: 'expire',
    isInDoubt: true,
    used: { inputTokens: row.progress_input_tokens, outputTokens: row.progress_output_tokens, images: 0n },
    usage: undefined,
    facts: undefined,
    owner: undefined,
    hold: holdFromRow(row),
  };
}
