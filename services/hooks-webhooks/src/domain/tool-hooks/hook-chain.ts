import type { HookVerdict } from './hook-answer.js';
import type { ToolCall } from './tool-call.js';
import { coversTool, type ToolHook } from './tool-hook.js';

/** The outcome of one phase of a call. */
export type PhaseAnswer =
  /** No hook was called. */
  | { kind: 'none' }
  | {
      kind: 'allow';
      toolName: string;
      argumentsJson: string;
      resultJson?: string | undefined;
      /** Why a fail-open hook that executes tools did not, if no later one did. */
      failure?: string | undefined;
    }
  | { kind: 'block'; error: string }
  /** The result that replaces the tool's execution. */
  | { kind: 'result'; resultJson: string }
  | { kind: 'failed'; error: string; isRetryable: boolean }
  /** The hook that the tool is bound to cannot run it. */
  | { kind: 'unavailable'; error: string };

/** A running phase: which hooks were called, and the current form of the call. */
export interface Chain {
  call: ToolCall;
  askedIds: ReadonlySet<string>;
  /** Of the last fail-open hook that failed. */
  failure?: string | undefined;
}

/** Returns the next hook to call; an earlier hook may have changed the call to another tool. */
export function nextHook(chain: Chain, hooks: readonly ToolHook[]): ToolHook | undefined {
  return hooks.find((hook) => !chain.askedIds.has(hook.id) && coversTool(hook, chain.call.toolName));
}

/** Continues with the changed call, or ends the phase. */
export function applyVerdict(
  { call, askedIds, failure }: Chain,
  hook: Pick<ToolHook, 'id' | 'failBehavior'>,
  verdict: HookVerdict,
): Chain | PhaseAnswer {
  const continueWith = (change: Partial<ToolCall>, failed = failure): Chain => ({
    call: { ...call, ...change },
    askedIds: new Set([...askedIds, hook.id]),
    failure: failed,
  });
  switch (verdict.kind) {
    case 'allow':
      return continueWith({});
    case 'call':
      return continueWith({ toolName: verdict.toolName, argumentsJson: verdict.argumentsJson });
    case 'result':
      if (call.hookType === 'tool_execute') return { kind: 'result', resultJson: verdict.resultJson };
      return continueWith({ resultJson: verdict.resultJson });
    case 'block':
      return { kind: 'block', error: verdict.error };
    case 'failed':
      if (hook.failBehavior === 'fail_open') return continueWith({}, verdict.error);
      return { kind: 'failed', error: verdict.error, isRetryable: verdict.isRetryable };
  }
}

/** Ends the phase after every hook was called. */
export function endChain({ call, askedIds, failure }: Chain): PhaseAnswer {
  if (askedIds.size === 0) return { kind: 'none' };
  const { hookType, toolName, argumentsJson, resultJson } = call;
  const failed = hookType === 'tool_execute' && failure !== undefined ? { failure } : {};
  return { kind: 'allow', toolName, argumentsJson, resultJson, ...failed };
}
