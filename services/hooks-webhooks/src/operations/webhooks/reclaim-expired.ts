import type { Context } from '../../context.js';
import type { AttemptReport } from '../../domain/webhooks/delivery.js';
import { judgeAttempt, retrySchedules } from '../../domain/webhooks/retry-policy.js';
import { findExpiredLeases } from '../../store/delivery-queues.js';
import { recordAttempts } from './record-attempts.js';

const LEASES_PER_PASS = 500;

/**
 * Ends the attempts of crashed workers: logs them as interrupted and retries them at once, unless they were the fifth.
 * Returns how many.
 */
export async function reclaimExpired(ctx: Pick<Context, 'queuePool' | 'clock' | 'logger'>): Promise<number> {
  const expired = await findExpiredLeases(ctx.queuePool, LEASES_PER_PASS);
  if (expired.length === 0) return 0;
  const now = ctx.clock.now();
  const reports = expired.map(({ lease, startedAt }): AttemptReport => {
    // Any schedule will do: an interrupted attempt is retried without delay.
    const verdict = judgeAttempt(retrySchedules.standard, lease.attempt, { kind: 'interrupted' }, now);
    return { lease, verdict, isInterrupted: true, responseStatus: undefined, latencyMs: undefined, startedAt };
  });
  const { lost } = await recordAttempts(ctx, reports);
  const reclaimed = reports.length - lost.length;
  if (reclaimed > 0) ctx.logger.warn({ deliveries: reclaimed }, 'expired leases reclaimed');
  return reclaimed;
}
