import { AppError } from '@tollgate/errors';
import { checkUrl } from '@tollgate/safe-fetch';
import type { EndpointRules } from '../../domain/endpoint-rules.js';
import type { FailBehavior, ToolHookSettings, ToolHookType } from '../../domain/tool-hooks/tool-hook.js';
import { type ProposedToolHook, toolHookFault } from '../../domain/tool-hooks/tool-hook-rules.js';

type Checked = Omit<ToolHookSettings, 'enabled'> & { hookType: ToolHookType };

/** @throws AppError VALIDATION_ERROR naming the first invalid field */
export function checkToolHook(proposed: ProposedToolHook, rules: EndpointRules): Checked {
  const fault = toolHookFault(proposed, rules);
  if (fault) throw invalid(fault.field, fault.message);
  // Checks the text only; the addresses of a host name are checked at every call.
  const refusal = checkUrl(proposed.endpointUrl, rules);
  if (refusal) throw invalid('endpoint_url', `endpoint_url is not allowed: ${refusal.message}`);
  return {
    ...proposed,
    hookType: proposed.hookType as ToolHookType,
    failBehavior: proposed.failBehavior as FailBehavior,
    toolsAllowlist: [...new Set(proposed.toolsAllowlist)],
  };
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
