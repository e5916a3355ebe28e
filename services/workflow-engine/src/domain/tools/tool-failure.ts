import { isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { ModelNode } from '../plan/plan.js';

/**
 * What becomes of a call that a tool has not done: its node fails, it is tried again, or the model is told. Only agents
 * say so themselves; elsewhere the model is told what a tool refused, and everything else fails the node.
 */
export type AfterFailure = 'stop' | 'retry' | 'tell';

export interface ToolFailure extends RunFailure {
  /** The tool has answered with an error; else nobody has answered. */
  isAnswer: boolean;
}

/** `attempt`: 1 for the first try of the call. */
export function afterToolFailure(node: ModelNode, failure: ToolFailure, attempt: number): AfterFailure {
  if (node.type !== 'agent.run') return failure.isAnswer ? 'tell' : 'stop';
  // A dry run has failed, whatever its agent makes of failures.
  if (failure.code === 'TOOL_NOT_MOCKED') return 'stop';
  // What a hook blocks is a decision, not a failure.
  if (failure.isAnswer && failure.code === 'FORBIDDEN') return 'tell';
  const { policy, retries } = node.tool_failure;
  if (policy === 'retry' && attempt <= retries && isWorthTrying(failure)) return 'retry';
  // A hook that must not fail stops the agent, whatever its policy.
  return policy === 'continue' && failure.code !== 'HOOK_FAILED' ? 'tell' : 'stop';
}

/** Another try does not find an executor for a tool that has none. */
function isWorthTrying({ code }: ToolFailure): boolean {
  return code !== 'TOOL_UNHANDLED';
}

/** The error that a tool's output says, in the words of the output. */
export function failureInOutput(output: string): ToolFailure | undefined {
  const error = errorOf(output);
  if (!error) return undefined;
  const { code, message } = error;
  const words = typeof message === 'string' && message !== '' ? message : 'the tool has failed';
  return { code: isErrorCode(code) ? code : 'PROVIDER_ERROR', message: words, isAnswer: true };
}

function errorOf(output: string): { code: string; message?: unknown } | undefined {
  // Parsing a large result only to find that it is none would be a waste.
  if (!output.startsWith('{"error":')) return undefined;
  const { error } = JSON.parse(output) as { error: { code?: unknown; message?: unknown } | null };
  return typeof error?.code === 'string' ? { code: error.code, message: error.message } : undefined;
}

/** A failure as the model reads it. */
export function outputOfFailure({ code, message }: RunFailure): string {
  return JSON.stringify({ error: { code, message } });
}
