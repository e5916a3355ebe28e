import type { ServiceConfig } from '../define-config.js';
import type { Parts } from '../parts.js';
import type { Command, CommandCall } from './command.js';

/** Rows of one kind that a retention deletes. */
export interface PruneStep {
  /** Names the rows, in the plural. */
  name: string;
  /** Deletes at most `limit` rows per statement and returns how many; `hasMore` while another call would find some. */
  run(limit: number): Promise<{ deleted: number; hasMore: boolean }>;
}

const ROWS_PER_BATCH = 1_000;
/** Progress is reported after this many batches. */
const BATCHES_PER_LINE = 20;

/** A step from a function that deletes up to a limit and returns how many. */
export function pruneStep(name: string, deleteBatch: (limit: number) => Promise<number>): PruneStep {
  return {
    name,
    async run(limit) {
      const deleted = await deleteBatch(limit);
      return { deleted, hasMore: deleted >= limit };
    },
  };
}

/** Runs the retention of the service now, in small batches, until nothing is left that is past it. */
export function pruneCommand<Config extends ServiceConfig>(
  openSteps: (parts: Parts<Config>) => readonly PruneStep[],
): Command<Config> {
  return {
    summary: 'deletes now what is past its retention, in small batches',
    timeoutMs: 60 * 60_000,
    async run(parts, call) {
      for (const step of openSteps(parts)) await runStep(step, call);
    },
  };
}

async function runStep(step: PruneStep, { print, progress, signal }: CommandCall): Promise<void> {
  let rows = 0;
  for (let batch = 1; ; batch += 1) {
    signal.throwIfAborted();
    const { deleted, hasMore } = await step.run(ROWS_PER_BATCH);
    rows += deleted;
    if (!hasMore) break;
    if (batch % BATCHES_PER_LINE === 0) progress(`${rows} ${step.name} deleted so far`);
  }
  await print({ pruned: step.name, rows }, `${rows} ${step.name} deleted`);
}
