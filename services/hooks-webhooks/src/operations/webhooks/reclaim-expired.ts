import type { Context } from '../../context.js';
import type { AttemptReport } from '../../domain/webhooks/delivery.js';
import { judgeAttempt, retrySchedules } from '../../domain/webhooks/retry-policy.js';
import { findExpiredLeases } from '../../store/delivery-queues.js';
import { postponeExpiry } from '../../store/gen/delivery-queues.js';
import { recordAttempts } from './record-attempts.js';

const LEASES_PER_PASS = 500;
/** Until a lease is tried again whose attempt the database refuses to end. */
const REFUSED_MS = 3_600_000;

/**
 * Ends the attempts of crashed workers: logs them as interrupted and retries them at once, unless they were the fifth.
 * Puts attempts aside that cannot be ended. Returns how many were ended.
 */
export async function reclaimExpired(
  ctx: Pick<Context, 'queuePool' | 'clock' | 'logger' | 'metrics'>,
): Promise<number> {
  const expired = await findExpiredLeases(ctx.queuePool, LEASES_PER_PASS);
  if (expired.length === 0) return 0;
  const now = ctx.clock.now();
  const reports = expired.map(({ lease, startedAt }): AttemptReport => {
    // Any schedule will do: an interrupted attempt is retried without delay.
    const verdict = judgeAttempt(retrySchedules.standard, lease.attempt, { kind: 'interrupted' }, now);
    return { lease, verdict, isInterrupted: true, responseStatus: undefined, latencyMs: undefined, startedAt };
  });
  const { lost, refused } = await recordAttempts(ctx, reports);
  if (refused.length > 0) {
    await postponeExpiry(ctx.queuePool, { leases: refused.map(({ lease }) => lease), delayMs: REFUSED_MS });
  }
  const reclaimed = reports.length - lost.length - refused.length;
  if (reclaimed > 0) ctx.logger.warn({ deliveries: reclaimed }, 'expired leases reclaimed');
  return reclaimed;
}
