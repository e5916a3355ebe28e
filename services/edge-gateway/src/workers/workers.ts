import { createLoop, type Stoppable, stopAll } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { deleteOldAuditEvents } from '../store/audit-events.js';
import { deleteExpiredDeviceSignIns } from '../store/device-sign-ins.js';
import { deleteExpiredIdempotencyRecords } from '../store/idempotency-records.js';
import { deleteExpiredOAuthSignIns } from '../store/oauth-sign-ins.js';
import { deleteExpiredRevocations } from '../store/revocations.js';
import { deleteExpiredSessions } from '../store/sessions.js';
import { deleteOldSignInSources } from '../store/sign-in-sources.js';

/** With a statement's time on top this keeps the promise that a revocation holds everywhere within five seconds. */
const REVOCATION_POLL_MS = 1_500;
const REVOCATION_BACKOFF_MAX_MS = 2_000;
const KEY_USAGE_FLUSH_MS = 10_000;
const KEY_RING_RELOAD_MS = 60_000;
const PRUNE_MS = 10 * 60_000;

/** Starts the background loops. Stopping them writes the key usage that is still in memory. */
export function startWorkers(ctx: Context): Stoppable {
  const { logger, pool } = ctx;
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
    createLoop({ name: 'prune', intervalMs: PRUNE_MS, logger, run: () => prune(ctx) }),
  ];
  return {
    async stop() {
      await stopAll(...loops);
      await ctx.keyUsage.flush(pool);
    },
  };
}

async function prune({ pool, config }: Context): Promise<void> {
  await deleteExpiredIdempotencyRecords(pool);
  await deleteExpiredRevocations(pool);
  await deleteExpiredSessions(pool);
  await deleteExpiredOAuthSignIns(pool);
  await deleteExpiredDeviceSignIns(pool);
  await deleteOldSignInSources(pool);
  await deleteOldAuditEvents(pool, config.auditKeepDays);
}
