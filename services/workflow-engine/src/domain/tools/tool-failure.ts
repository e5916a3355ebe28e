import { isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { ModelNode } from '../plan/plan.js';

/**
 * What follows a failed tool call: `stop` fails the node, `retry` calls the tool again, `report` returns the failure to
 * the model. Agents choose by their policy. In other nodes, the tool's own errors are reported and everything else
 * stops.
 */
export type AfterFailure = 'stop' | 'retry' | 'report';

export interface ToolFailure extends RunFailure {
  /** Whether the tool answered with an error; otherwise there was no answer. */
  isAnswer: boolean;
  /** Set on TOOL_UNHANDLED when the executor of the tool failed, rather than being absent. */
  mayRetry?: boolean;
}

/** `attempt`: 1 for the first try of the call. */
export function afterToolFailure(node: ModelNode, failure: ToolFailure, attempt: number): AfterFailure {
  if (node.type !== 'agent.run') return failure.isAnswer ? 'report' : 'stop';
  // A missing mock fails a dry run under any policy.
  if (failure.code === 'TOOL_NOT_MOCKED') return 'stop';
  // A hook that blocks a call has made a decision; that is not a failure.
  if (failure.isAnswer && failure.code === 'FORBIDDEN') return 'report';
  const { policy, retries } = node.tool_failure;
  if (policy === 'retry' && attempt <= retries && isWorthTrying(failure)) return 'retry';
  // A failed fail-closed hook stops the agent under any policy.
  return policy === 'continue' && failure.code !== 'HOOK_FAILED' ? 'report' : 'stop';
}

/** A retry cannot help a tool that has no executor. */
function isWorthTrying({ code, mayRetry }: ToolFailure): boolean {
  return code !== 'TOOL_UNHANDLED' || mayRetry === true;
}

/** Returns the error in a tool's output, with the output's own message. */
export function failureInOutput(output: string): ToolFailure | undefined {
  const error = readError(output);
  if (!error) return undefined;
  const { code, message } = error;
  const text = typeof message === 'string' && message !== '' ? message : 'the tool failed';
  return { code: isErrorCode(code) ? code : 'PROVIDER_ERROR', message: text, isAnswer: true };
}

function readError(output: string): { code: string; message?: unknown } | undefined {
  // Avoids parsing a large result that is not an error.
  if (!output.startsWith('{"error":')) return undefined;
  const { error } = JSON.parse(output) as { error: { code?: unknown; message?: unknown } | null };
  return typeof error?.code === 'string' ? { code: error.code, message: error.message } : undefined;
}

/** Returns a failure as the output that the model reads. */
export function failureOutput({ code, message }: RunFailure): string {
  return JSON.stringify({ error: { code, message } });
}
