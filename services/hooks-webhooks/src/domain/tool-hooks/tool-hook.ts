import type { SealedSecret } from '@tollgate/runtime/secret-box';

export const TOOL_HOOK_TYPES = ['pre_tool_use', 'post_tool_use', 'tool_execute'] as const;
export type ToolHookType = (typeof TOOL_HOOK_TYPES)[number];

export const FAIL_BEHAVIORS = ['fail_closed', 'fail_open'] as const;
export type FailBehavior = (typeof FAIL_BEHAVIORS)[number];

/** By default a failed hook stops the request if it guards or executes a call, but not if it inspects a result. */
export const defaultFailBehavior: Record<ToolHookType, FailBehavior> = {
  pre_tool_use: 'fail_closed',
  tool_execute: 'fail_closed',
  post_tool_use: 'fail_open',
};

export const TIMEOUT_MS_DEFAULT = 5_000;
export const TIMEOUT_MS_MAX = 60_000;
/** Bounds a phase: a project's hooks of one type are called in sequence. */
export const TOOL_HOOKS_PER_PROJECT_MAX = 100;

/** Settings that the owner controls. */
export interface ToolHookSettings {
  endpointUrl: string;
  enabled: boolean;
  timeoutMs: number;
  failBehavior: FailBehavior;
  /** Empty = every tool. */
  toolsAllowlist: string[];
  /** Only post_tool_use: may replace the result. */
  allowMutation: boolean;
}

export interface ToolHook extends ToolHookSettings {
  id: string;
  projectId: string;
  hookType: ToolHookType;
  secret: SealedSecret;
  createdAt: Date;
  updatedAt: Date;
}

/** `kv.write` and `kv_write` are the same tool. */
export function coversTool(hook: Pick<ToolHook, 'toolsAllowlist'>, toolName: string): boolean {
  const { toolsAllowlist } = hook;
  return toolsAllowlist.length === 0 || toolsAllowlist.some((name) => spelling(name) === spelling(toolName));
}

function spelling(toolName: string): string {
  return toolName.replaceAll('.', '_');
}

/** Returns why this hook cannot run a tool that is bound to it, or undefined when it can. */
export function bindingFault(
  hook: Pick<ToolHook, 'hookType' | 'enabled' | 'toolsAllowlist'> | undefined,
  toolName: string,
): string | undefined {
  if (!hook) return 'the tool hook was deleted or never existed';
  if (hook.hookType !== 'tool_execute') return `the tool hook is a ${hook.hookType} hook, not tool_execute`;
  if (!hook.enabled) return 'the tool hook is disabled';
  if (!coversTool(hook, toolName)) return `the tool hook's allowlist does not include ${toolName}`;
  return undefined;
}

export type ToolHookStatus = 'success' | 'blocked' | 'timeout' | 'error';

/** One call of a hook's endpoint, as shown in the owner's log. */
export interface ToolHookEvent {
  id: string;
  hookId: string;
  requestId: string;
  toolCallId: string;
  status: ToolHookStatus;
  responseStatus: number | undefined;
  /** Truncated. */
  responseBody: string;
  latencyMs: number;
  error: string | undefined;
  createdAt: Date;
}
