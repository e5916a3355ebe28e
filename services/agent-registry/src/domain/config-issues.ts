import { agentLimits, type ToolRef, workflowLimits } from '@tollgate/api/runs';
import type { AgentConfig, AgentProfile } from './agent.js';

export interface Issue {
  field: string;
  message: string;
}

/** Checks the rules that span several fields, and the bounds of numbers. Returns an empty list for a valid agent. */
export function agentIssues(profile: AgentProfile, config: AgentConfig): Issue[] {
  return [
    ...(profile.name === '' ? [{ field: 'name', message: 'is required' }] : []),
    ...outOfRange('max_steps', config.maxSteps, 1, agentLimits.steps),
    ...outOfRange('max_duration_sec', config.maxDurationSec, 1, agentLimits.durationSec),
    ...outOfRange('step_timeout_sec', config.stepTimeoutSec, 1, agentLimits.stepTimeoutSec),
    ...outOfRange('tool_retry_count', config.toolRetryCount ?? 0, 0, agentLimits.toolRetries),
    ...config.tools.flatMap((tool, index) => fragmentIssues(tool, `tools[${index}].fragment`, config)),
    ...duplicateTools(config.tools),
    ...tooManyServers(config.tools),
    ...toolingSize(config),
  ];
}

function outOfRange(field: string, value: number, min: number, max: number): Issue[] {
  return value >= min && value <= max ? [] : [{ field, message: `must be from ${min} to ${max}` }];
}

function fragmentIssues({ fragment }: ToolRef, at: string, config: AgentConfig): Issue[] {
  if (!fragment) return [];
  const { ref, inputs = {} } = fragment;
  if (!Object.hasOwn(config.fragments, ref))
    return [{ field: `${at}.ref`, message: `refers to an unknown fragment: ${ref}` }];
  const declared = config.fragments[ref]?.inputs;
  if (!declared) return [];
  const names = new Set(declared.map((input) => input.name));
  return Object.keys(inputs)
    .filter((name) => !names.has(name))
    .map((name) => ({ field: `${at}.inputs.${name}`, message: `is not an input of the fragment ${ref}` }));
}

/** Finds tools with the same name. Providers receive dots as underscores, so the two count as equal. */
function duplicateTools(tools: ToolRef[]): Issue[] {
  const seen = new Set<string>();
  return tools.flatMap((tool, index) => {
    const name = toolName(tool);
    const key = name.replaceAll('.', '_');
    if (seen.has(key)) return [{ field: `tools[${index}]`, message: `is offered twice: ${name}` }];
    seen.add(key);
    return [];
  });
}

function tooManyServers(tools: ToolRef[]): Issue[] {
  const count = tools.filter((tool) => tool.mcp_server !== undefined).length;
  if (count <= workflowLimits.mcpServers) return [];
  return [{ field: 'tools', message: `may name at most ${workflowLimits.mcpServers} MCP servers` }];
}

function toolName({ definition, fragment, mcp_server: mcpServer }: ToolRef): string {
  if (fragment) return fragment.ref;
  if (mcpServer !== undefined) return `mcp_server ${mcpServer}`;
  return definition?.function?.name ?? definition?.type ?? '';
}

function toolingSize({ tools, fragments }: AgentConfig): Issue[] {
  const bytes = Buffer.byteLength(JSON.stringify(tools)) + Buffer.byteLength(JSON.stringify(fragments));
  if (bytes <= agentLimits.toolingBytes) return [];
  return [{ field: 'tools', message: `and fragments may have at most ${agentLimits.toolingBytes} bytes together` }];
}
