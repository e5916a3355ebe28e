import { createLoop, type Stoppable, stopAll } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { discardLostResponses } from '../operations/attempts/discard-lost-responses.js';
import { sendMails } from '../operations/mail/send-mails.js';
import { oldestMs, prepareDays } from '../operations/record-requests.js';
import { RequestRollup } from '../operations/reports/roll-up-requests.js';
import { deleteSealedBodies } from '../store/idempotency-records.js';
import { dropDays } from '../store/requests/partitions.js';
import { deleteInBatches } from '../store/retention.js';

/** Short enough that every edge applies a revocation within five seconds, including the time of the poll's statement. */
const REVOCATION_POLL_MS = 1_500;
const REVOCATION_BACKOFF_MAX_MS = 2_000;
const KEY_USAGE_FLUSH_MS = 10_000;
const KEY_RING_RELOAD_MS = 60_000;
const PRUNE_MS = 10 * 60_000;
/** Per pass and table; a full batch is followed by another pass at once. */
const PRUNE_ROWS_MAX = 1_000;
const MAILS_MS = 1_000;
const SEALED_ANSWERS_MS = 60_000;
const LOST_RESPONSES_MS = 2_000;
const REFUSALS_FLUSH_MS = 1_000;
const REQUEST_DAYS_MS = 30 * 60_000;
const REQUEST_ROLLUP_MS = 15_000;
/** Days of requests that one pass drops; a full batch is followed by another pass at once. */
const REQUEST_DAYS_MAX = 10;

/** Starts the background loops. Stopping them writes the key usage that is still in memory. */
export function startWorkers(
  ctx: Pick<
    Context,
    'clients' | 'clock' | 'config' | 'keyUsage' | 'logger' | 'mailer' | 'pool' | 'refusals' | 'revocations' | 'tokens'
  >,
): Stoppable {
  const { logger, pool } = ctx;
  const rollup = new RequestRollup(ctx);
  const loops = [
    createLoop({
      name: 'revocations',
      intervalMs: REVOCATION_POLL_MS,
      backoffMaxMs: REVOCATION_BACKOFF_MAX_MS,
      logger,
      run: () => ctx.revocations.poll(pool),
    }),
    createLoop({ name: 'key usage', intervalMs: KEY_USAGE_FLUSH_MS, logger, run: () => ctx.keyUsage.flush(pool) }),
    createLoop({ name: 'key ring', intervalMs: KEY_RING_RELOAD_MS, logger, run: () => ctx.tokens.reload() }),
    createLoop({
      name: 'prune',
      intervalMs: PRUNE_MS,
      logger,
      run: () => deleteInBatches(pool, ctx.config.auditKeepDays, PRUNE_ROWS_MAX),
    }),
    createLoop({ name: 'refused requests', intervalMs: REFUSALS_FLUSH_MS, logger, run: () => flushRefusals(ctx) }),
    createLoop({
      name: 'lost responses',
      intervalMs: LOST_RESPONSES_MS,
      logger,
      run: () => discardLostResponses(ctx),
    }),
    createLoop({ name: 'sealed answers', intervalMs: SEALED_ANSWERS_MS, logger, run: () => deleteSealed(ctx) }),
    createLoop({ name: 'mails', intervalMs: MAILS_MS, logger, run: () => sendMails(ctx) }),
    createLoop({ name: 'days of requests', intervalMs: REQUEST_DAYS_MS, logger, run: () => keepDays(ctx) }),
    createLoop({ name: 'sums of requests', intervalMs: REQUEST_ROLLUP_MS, logger, run: () => rollup.run() }),
  ];
  return {
    async stop() {
      await stopAll(...loops);
      await ctx.keyUsage.flush(pool);
      await flushRefusals(ctx);
    },
  };
}

async function deleteSealed({ pool }: Pick<Context, 'pool'>): Promise<boolean> {
  return (await deleteSealedBodies(pool, PRUNE_ROWS_MAX)) === PRUNE_ROWS_MAX;
}

async function flushRefusals(ctx: Pick<Context, 'clock' | 'config' | 'logger' | 'pool' | 'refusals'>): Promise<void> {
  const dropped = await ctx.refusals.flush(ctx);
  if (dropped > 0) ctx.logger.warn({ dropped }, 'refused requests not recorded');
}

async function keepDays(ctx: Pick<Context, 'clock' | 'config' | 'pool'>): Promise<boolean> {
  await prepareDays(ctx);
  return (await dropDays(ctx.pool, oldestMs(ctx), REQUEST_DAYS_MAX)) === REQUEST_DAYS_MAX;
}
