import { retryPolicy } from '@tollgate/api';
import { isErrorCode } from '@tollgate/errors';
import type { RetryPolicy } from '../../plan/plan.js';
import type { JsonObject } from '../../values/json.js';
import type { CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';

/** A node's `retry`, to be spread into it. */
export function compileRetry(spec: JsonObject, path: Path, { kind, issues }: CompileScope): { retry?: RetryPolicy } {
  if (spec.retry === undefined) return {};
  const at = [...path, 'retry'];
  if (kind === 'workflow.v0') {
    issues.add('UNSUPPORTED_FIELD', at, 'belongs to workflow.v1');
    return {};
  }
  const parsed = issues.parse(retryPolicy, spec.retry, at);
  if (!parsed) return {};
  for (const [index, code] of (parsed.retryable_errors ?? []).entries()) {
    if (!isErrorCode(code)) issues.add('INVALID_VALUE', [...at, 'retryable_errors', index], `no error code ${code}`);
  }
  const { retryable_errors, ...rest } = parsed;
  return { retry: { ...rest, ...(retryable_errors && { retryable_errors }) } };
}
