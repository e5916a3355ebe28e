import { agentRunFields } from '@tollgate/api/runs';
import type { z } from 'zod';
import { limits } from '../../limits.js';
import type { AgentNode, AgentSubnode, Binding } from '../../plan/plan.js';
import type { Json, JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope, Read } from '../compiled-node.js';
import type { Path } from '../issues.js';
import type { AgentConfig } from './agent-config.js';
import { compileTools } from './agent-tools.js';
import { bindingReads, bindingTargets, checkBindings, checkRequest, compileBindings } from './model-node.js';
import { NodeFields } from './node-fields.js';

type Fields = z.output<typeof agentRunFields>;

/**
 * Compiles `agent.run`: an agent of the project runs with its prompt, model and tools until it answers without a tool
 * call.
 */
export function compileAgentRun(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const compiled = compileAgent(spec, path, scope, []);
  return compiled && { node: { id, ...compiled.agent }, reads: compiled.reads };
}

/** Compiles an agent. `more`: additional bindings, for example those of a fan-out's items. */
export function compileAgent(
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
  more: readonly Binding[],
): { agent: AgentSubnode; reads: Read[] } | undefined {
  const { issues } = scope;
  const source = new NodeFields(spec, path);
  const fields = source.parse(agentRunFields, issues);
  const own = compileBindings(source.get('bindings'), source.at('bindings'), scope);
  if (!fields) return undefined;
  const config = scope.agents.get(fields.agent);
  if (!config) {
    issues.add('UNKNOWN_AGENT', source.at('agent'), `no agent ${fields.agent}`);
    return undefined;
  }
  if (!scope.fragments.hasRoomFor(config)) {
    const message = `the agents of the spec are larger than ${limits.agentsChars} characters`;
    issues.add('LIMIT_EXCEEDED', source.at('agent'), message);
    return undefined;
  }
  const { declared, routes, mcpServers } = compileTools(config, source.at('agent'), scope);
  const request = buildRequest(config, fields, declared);
  const bindings = [...own.map(({ value }) => value), ...more];
  checkBindings(request, own, issues);
  checkRequest(request, bindingTargets(source.get('bindings'), more), source.at('input').slice(0, -1), issues);
  const servers = mcpServers.length > 0 ? { mcp_servers: mcpServers } : {};
  const agent = { ...buildAgent(config, fields), request, bindings, routes, ...servers };
  return { agent, reads: bindingReads(own) };
}

function buildRequest(config: AgentConfig, fields: Fields, tools: JsonObject[]): JsonObject {
  const model = fields.model ?? config.model;
  return {
    ...(model !== undefined && { model }),
    ...(fields.input && { input: fields.input as Json[] }),
    tools,
  };
}

function buildAgent(config: AgentConfig, fields: Fields): Omit<AgentSubnode, 'request' | 'bindings' | 'routes'> {
  const { id, slug, revision, system } = config;
  const seconds = fields.max_duration_sec ?? config.maxDurationSec;
  return {
    type: 'agent.run',
    agent: { id, slug, revision },
    system,
    stream: fields.stream,
    tool_execution: fields.tool_execution,
    tool_limits: { ...fields.tool_limits, max_llm_calls: fields.max_steps ?? config.maxSteps },
    max_duration_ms: seconds * 1_000,
    step_timeout_ms: (fields.step_timeout_sec ?? config.stepTimeoutSec) * 1_000,
    tool_failure: failurePolicy(config, fields),
  };
}

function failurePolicy(config: AgentConfig, fields: Fields): AgentNode['tool_failure'] {
  const policy = fields.tool_failure_policy ?? config.toolFailurePolicy;
  const retries = fields.tool_retry_count ?? config.toolRetryCount ?? 1;
  return { policy, retries: policy === 'retry' ? retries : 0 };
}
