import { coversTool, type ToolHook } from './tool-hook.js';

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
