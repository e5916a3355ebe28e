import { agentRunFields } from '@tollgate/api';
import type { z } from 'zod';
import { limits } from '../../limits.js';
import type { AgentNode, AgentSubnode, Binding } from '../../plan/plan.js';
import type { Json, JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope, Read } from '../compiled-node.js';
import type { Path } from '../issues.js';
import type { AgentConfig } from './agent-config.js';
import { compileTools } from './agent-tools.js';
import { checkBindings, checkRequest, compileBindings, readsOfBindings, targetsOf } from './model-node.js';
import { NodeFields } from './node-fields.js';

type Fields = z.output<typeof agentRunFields>;

/** `agent.run`: an agent of the project with its prompt, model and tools, until it answers without calling one. */
export function compileAgentRun(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const compiled = compileAgent(spec, path, scope, []);
  return compiled && { node: { id, ...compiled.agent }, reads: compiled.reads };
}

/** What runs an agent. `more`: bindings from elsewhere, for example those of a fan-out's items. */
export function compileAgent(
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
  more: readonly Binding[],
): { agent: AgentSubnode; reads: Read[] } | undefined {
  const { issues } = scope;
  const given = new NodeFields(spec, path);
  const fields = given.parse(agentRunFields, issues);
  const own = compileBindings(given.get('bindings'), given.at('bindings'), scope);
  if (!fields) return undefined;
  const config = scope.agents.get(fields.agent);
  if (!config) {
    issues.add('UNKNOWN_AGENT', given.at('agent'), `no agent ${fields.agent}`);
    return undefined;
  }
  if (!scope.fragments.hasRoomFor(config)) {
    const message = `the agents of the spec are larger than ${limits.agentsChars} characters`;
    issues.add('LIMIT_EXCEEDED', given.at('agent'), message);
    return undefined;
  }
  const { declared, routes } = compileTools(config, given.at('agent'), scope);
  const request = requestOf(config, fields, declared);
  const bindings = [...own.map(({ value }) => value), ...more];
  checkBindings(request, own, issues);
  checkRequest(request, targetsOf(given.get('bindings'), more), given.at('input').slice(0, -1), issues);
  return { agent: { ...agentOf(config, fields), request, bindings, routes }, reads: readsOfBindings(own) };
}

function requestOf(config: AgentConfig, fields: Fields, tools: JsonObject[]): JsonObject {
  const model = fields.model ?? config.model;
  return {
    ...(model !== undefined && { model }),
    ...(fields.input && { input: fields.input as Json[] }),
    tools,
  };
}

function agentOf(config: AgentConfig, fields: Fields): Omit<AgentSubnode, 'request' | 'bindings' | 'routes'> {
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
    tool_failure: toolFailureOf(config, fields),
  };
}

function toolFailureOf(config: AgentConfig, fields: Fields): AgentNode['tool_failure'] {
  const policy = fields.tool_failure_policy ?? config.toolFailurePolicy;
  const retries = fields.tool_retry_count ?? config.toolRetryCount ?? 1;
  return { policy, retries: policy === 'retry' ? retries : 0 };
}
