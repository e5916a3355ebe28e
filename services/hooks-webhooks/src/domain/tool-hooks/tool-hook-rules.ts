import { type EndpointRules, endpointUrlFault } from '../endpoint-rules.js';
import { FAIL_BEHAVIORS, TIMEOUT_MS_MAX, TOOL_HOOK_TYPES } from './tool-hook.js';

const TOOL_NAME_LENGTH_MAX = 128;
const TOOLS_MAX = 200;

/** Unchecked settings as they would be after the change. */
export interface ProposedToolHook {
  hookType: string;
  endpointUrl: string;
  timeoutMs: number;
  failBehavior: string;
  toolsAllowlist: readonly string[];
  allowMutation: boolean;
}

export interface ToolHookFault {
  field: string;
  message: string;
}

/** Returns the first invalid field. The specification's six messages are verbatim. */
export function toolHookFault(proposed: ProposedToolHook, rules: EndpointRules): ToolHookFault | undefined {
  const { hookType, endpointUrl, timeoutMs, failBehavior, toolsAllowlist, allowMutation } = proposed;
  if (hookType === '') return fault('hook_type', 'hook_type required');
  if (!isAllowed(TOOL_HOOK_TYPES, hookType)) {
    return fault('hook_type', `hook_type must be one of ${TOOL_HOOK_TYPES.join(', ')}`);
  }
  const urlFault = endpointUrlFault(endpointUrl, rules);
  if (urlFault) return fault('endpoint_url', urlFault);
  if (hookType === 'tool_execute' && toolsAllowlist.length === 0) {
    return fault('tools_allowlist', 'tools_allowlist required for tool_execute hooks');
  }
  if (allowMutation && hookType !== 'post_tool_use') {
    return fault('allow_mutation', 'allow_mutation is only valid for post_tool_use hooks');
  }
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MAX) {
    return fault('timeout_ms', `timeout_ms must be between 1 and ${TIMEOUT_MS_MAX}`);
  }
  if (!isAllowed(FAIL_BEHAVIORS, failBehavior)) {
    return fault('fail_behavior', `fail_behavior must be one of ${FAIL_BEHAVIORS.join(', ')}`);
  }
  return allowlistFault(toolsAllowlist);
}

function allowlistFault(tools: readonly string[]): ToolHookFault | undefined {
  if (tools.length > TOOLS_MAX) return fault('tools_allowlist', `tools_allowlist has more than ${TOOLS_MAX} entries`);
  const isName = (tool: string) => tool.length <= TOOL_NAME_LENGTH_MAX && /^[\w.:/-]+$/.test(tool);
  return tools.every(isName) ? undefined : fault('tools_allowlist', 'tools_allowlist must hold tool names');
}

function fault(field: string, message: string): ToolHookFault {
  return { field, message };
}

function isAllowed(allowed: readonly string[], value: string): boolean {
  return allowed.includes(value);
}
