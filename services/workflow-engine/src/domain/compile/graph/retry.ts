import { retryPolicy } from '@tollgate/api/runs';
import { isErrorCode } from '@tollgate/errors';
import type { RetryPolicy } from '../../plan/plan.js';
import type { JsonObject } from '../../values/json.js';
import type { CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';

/** Compiles a node's `retry` field, to be spread into the node. */
export function compileRetry(spec: JsonObject, path: Path, { kind, issues }: CompileScope): { retry?: RetryPolicy } {
  if (spec.retry === undefined) return {};
  const at = [...path, 'retry'];
  if (kind === 'workflow.v0') {
    issues.add('UNSUPPORTED_FIELD', at, 'requires workflow.v1');
    return {};
  }
  const parsed = issues.parse(retryPolicy, spec.retry, at);
  if (!parsed) return {};
  for (const [index, code] of (parsed.retryable_errors ?? []).entries()) {
    if (!isErrorCode(code))
      issues.add('INVALID_VALUE', [...at, 'retryable_errors', index], `unknown error code ${code}`);
  }
  const { retryable_errors, ...rest } = parsed;
  return { retry: { ...rest, ...(retryable_errors && { retryable_errors }) } };
}
