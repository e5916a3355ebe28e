import { isJsonObject } from '@tollgate/runtime/json-object';
import { parseJson } from '../json-value.js';
import type { ToolHook } from './tool-hook.js';

/** A hook's decision about a call. */
export type HookVerdict =
  | { kind: 'allow' }
  | { kind: 'block'; error: string }
  /** pre_tool_use: the changed call. */
  | { kind: 'call'; toolName: string; argumentsJson: string }
  /** post_tool_use: the changed result. tool_execute: the tool's result. */
  | { kind: 'result'; resultJson: string }
  /** The hook failed; its fail behavior decides the consequence. */
  | { kind: 'failed'; error: string; isTimeout: boolean; isRetryable: boolean };

export interface JudgedAnswer {
  verdict: HookVerdict;
  /** For the event log: the parts of the answer that had no effect. */
  note?: string;
}

/** An endpoint's reply. */
export type HookReply =
  | { kind: 'answered'; status: number; body: Buffer }
  | { kind: 'unreachable'; error: string; isTimeout: boolean; isRetryable: boolean }
  /** The caller disconnected during the call. */
  | { kind: 'canceled' };

export const BLOCKED_MESSAGE = 'blocked by a tool hook';
/** Bounds text that the model reads. */
const ERROR_LENGTH_MAX = 4_000;
const TOOL_NAME_LENGTH_MAX = 128;

type Asked = Pick<ToolHook, 'hookType' | 'allowMutation'>;

/** @param toolName the tool in the request; the default for an answer that names no tool */
export function judgeAnswer(hook: Asked, toolName: string, status: number, body: string): JudgedAnswer {
  if (status < 200 || status > 299) return failed(statusFault(status));
  const answer = parseJson(body);
  if (!isJsonObject(answer)) return failed('the hook did not answer with a JSON object');
  const { action } = answer;
  const madeJson = hook.hookType === 'tool_execute' ? toJson(answer.result) : undefined;
  // The action is optional if there is a result.
  if (madeJson !== undefined && [undefined, null, 'allow', 'modify'].includes(action as null)) {
    return { verdict: { kind: 'result', resultJson: madeJson } };
  }
  if (action === 'allow') return { verdict: { kind: 'allow' } };
  if (action === 'block') return { verdict: { kind: 'block', error: toReason(answer.error) } };
  if (action === 'modify')
    return hook.hookType === 'post_tool_use' ? newResult(hook, answer) : newCall(toolName, answer);
  return failed(action === undefined ? 'the answer has no action' : 'the answer has an unknown action');
}

function newCall(asked: string, { tool_call: call }: Record<string, unknown>): JudgedAnswer {
  if (!isJsonObject(call)) return failed('modify without a tool_call');
  const { name = asked, arguments: args } = call;
  if (typeof name !== 'string' || name === '' || name.length > TOOL_NAME_LENGTH_MAX) {
    return failed('the modified tool_call has no valid name');
  }
  if (!isJsonObject(args)) return failed('the arguments of the modified tool_call are not an object');
  return { verdict: { kind: 'call', toolName: name, argumentsJson: JSON.stringify(args) } };
}

function newResult(hook: Asked, { result }: Record<string, unknown>): JudgedAnswer {
  const resultJson = toJson(result);
  if (resultJson === undefined) return failed('modify without a result');
  if (!hook.allowMutation) {
    return { verdict: { kind: 'allow' }, note: 'modify ignored: the hook has no allow_mutation' };
  }
  return { verdict: { kind: 'result', resultJson } };
}

/** Receivers with fixed schemas write null for absent fields. */
function toJson(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

function toReason(error: unknown): string {
  if (error === undefined || error === null || error === '') return BLOCKED_MESSAGE;
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, ERROR_LENGTH_MAX);
}

function statusFault(status: number): string {
  if (status >= 300 && status < 400) return `redirects are not followed (status ${status})`;
  return `the hook answered with status ${status}`;
}

/** The hook answered, so a retry would change nothing. */
function failed(error: string): JudgedAnswer {
  return { verdict: { kind: 'failed', error, isTimeout: false, isRetryable: false } };
}
