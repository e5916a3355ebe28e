import { type AppError, isAppError } from '@tollgate/errors';
import { wasNotDelivered } from '@tollgate/rpc';

/** Codes of failures after which the cost of the work is unknown. */
const OUTCOME_UNKNOWN: ReadonlySet<AppError['code']> = new Set([
  'SERVICE_UNAVAILABLE',
  'RELAY_TIMEOUT',
  'INTERNAL_ERROR',
]);

/**
 * What became of work whose call failed:
 * - `undelivered`: it never reached the service, so that nothing was served.
 * - `lost`: it is unknown whether it was served. Another attempt may succeed.
 * - `defect`: it is unknown whether it was served. Another attempt would fail, too.
 * - `final`: the service has refused or failed it, and has settled what was served.
 */
export type Fate = 'undelivered' | 'lost' | 'defect' | 'final';

/** Returns what the error of a call says about its work. */
export function classify(error: unknown): Fate {
  if (wasNotDelivered(error)) return 'undelivered';
  if (!isAppError(error)) return 'lost';
  if (!OUTCOME_UNKNOWN.has(error.code)) return 'final';
  return error.retryable ? 'lost' : 'defect';
}
