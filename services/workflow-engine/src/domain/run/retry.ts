import { definitionOf } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { RetryPolicy } from '../plan/plan.js';

/** Whether a node that has failed for the n-th time begins again. */
export function isRetried(policy: RetryPolicy | undefined, attempt: number, failure: RunFailure): boolean {
  if (!policy || attempt >= policy.max_attempts) return false;
  const code = failure.trueCode ?? failure.code;
  const codes = policy.retryable_errors;
  return codes ? codes.includes(code) : definitionOf(code).retryable;
}
