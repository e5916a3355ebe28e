import { workflowDefaults } from '@tollgate/api/runs';
import type { AgentConfig } from '../compile/nodes/agent-config.js';
import type { Json, JsonObject } from '../values/json.js';
import { type AgentNode, type HashedPlan, hashPlan, type Plan, type Rehearsal } from './plan.js';

/** The only node of an agent's run, and the names of the run's input and output. */
export const AGENT_NODE_ID = 'agent';
export const AGENT_INPUT = 'input';
export const AGENT_OUTPUT = 'output';

/** Added to the agent's time limit, so that the run's own limit applies only if the agent's fails. */
const GRACE_MS = 60_000;

/** Settings of a run that differ from the agent's, by the field names of `agent.run`. */
export type AgentOverrides = Readonly<Record<string, Json | undefined>>;

/** Returns the spec of an agent's run. Equal agents with equal overrides give an equal plan for any input. */
export function agentRunSpec({ slug, revision }: AgentConfig, overrides: AgentOverrides): JsonObject {
  const set = Object.entries(overrides).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  const node: JsonObject = {
    id: AGENT_NODE_ID,
    type: 'agent.run',
    agent: `${slug}@${revision}`,
    ...Object.fromEntries(set),
    bindings: [{ from_input: AGENT_INPUT, to: `/${AGENT_INPUT}` }],
  };
  return {
    kind: 'workflow.v1',
    name: slug,
    inputs: [{ name: AGENT_INPUT, type: 'array', required: true }],
    nodes: [node],
    outputs: [{ name: AGENT_OUTPUT, from: AGENT_NODE_ID, pointer: '/output' }],
  };
}

/**
 * Returns the plan of an agent's run. The agent's time limit replaces those of the spec. `rehearsal`: mocks, or a
 * recorded run, that answer its calls.
 */
export function agentRunPlan(compiled: Plan, rehearsal: Rehearsal | undefined): HashedPlan {
  const { max_duration_ms: durationMs } = findAgentNode(compiled) as AgentNode;
  const execution = {
    ...compiled.execution,
    node_timeout_ms: Math.max(workflowDefaults.nodeTimeoutMs, durationMs),
    run_timeout_ms: durationMs + GRACE_MS,
  };
  const { rehearsal: _other, ...plan } = compiled;
  return hashPlan({ ...plan, execution, ...(rehearsal && { rehearsal }) });
}

/** Returns the node of an agent's run; undefined for runs of workflows. */
export function findAgentNode({ nodes }: Plan): AgentNode | undefined {
  const [node] = nodes;
  return nodes.length === 1 && node?.type === 'agent.run' && node.id === AGENT_NODE_ID ? node : undefined;
}
