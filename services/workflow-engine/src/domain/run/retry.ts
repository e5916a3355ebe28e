import { getDefinition } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { RetryPolicy } from '../plan/plan.js';

/** Whether a node starts again after the failure of its n-th attempt. */
export function isRetried(policy: RetryPolicy | undefined, attempt: number, failure: RunFailure): boolean {
  if (!policy || attempt >= policy.max_attempts) return false;
  const code = failure.trueCode ?? failure.code;
  const codes = policy.retryable_errors;
  return codes ? codes.includes(code) : getDefinition(code).retryable;
}
