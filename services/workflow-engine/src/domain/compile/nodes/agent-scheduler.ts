import { schedulerFields } from '@tollgate/api/runs';
import type { AgentSubnode } from '../../plan/plan.js';
import type { JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';
import { compileAgent } from './agent-run.js';
import { functionTool } from './agent-tools.js';
import { NodeFields } from './node-fields.js';

/** The tool that a coordinator calls when the work is done. */
export const DONE_TOOL = 'scheduler_done';

const DONE_PARAMETERS: JsonObject = {
  type: 'object',
  properties: { result: { type: 'string', description: 'The result that the agents have achieved together.' } },
  required: ['result'],
};

/** Compiles `agent.scheduler`: agents work in rounds until their coordinator or the policy ends the work. */
export function compileAgentScheduler(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  if (spec.retry !== undefined) {
    scope.issues.add('UNSUPPORTED_FIELD', [...path, 'retry'], 'a scheduler has a policy instead of retries');
  }
  const source = new NodeFields(spec, path);
  const fields = source.parse(schedulerFields, scope.issues);
  if (!fields) return undefined;
  const { policy } = fields;
  const agents: { agent: AgentSubnode; count: number }[] = [];
  for (const [index, { count, ...worker }] of fields.agents.entries()) {
    const compiled = compileAgent(worker as JsonObject, [...source.at('agents'), index], scope, []);
    if (compiled) agents.push({ agent: compiled.agent, count });
  }
  const coordinator = compileAgent(fields.coordinator as JsonObject, source.at('coordinator'), scope, []);
  if (!coordinator || agents.length < fields.agents.length) return undefined;
  return {
    node: { id, type: 'agent.scheduler', agents, coordinator: withDoneTool(coordinator.agent), policy },
    reads: [],
  };
}

function withDoneTool(agent: AgentSubnode): AgentSubnode {
  const { request, routes } = agent;
  const done = functionTool(DONE_TOOL, 'Ends the work of all agents. Call it when it is done.', DONE_PARAMETERS);
  const tools = [...((request.tools as JsonObject[] | undefined) ?? []), done];
  return { ...agent, request: { ...request, tools }, routes: { ...routes, [DONE_TOOL]: { to: 'end' } } };
}
