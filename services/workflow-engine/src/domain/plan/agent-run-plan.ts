import { workflowDefaults } from '@tollgate/api';
import type { AgentConfig } from '../compile/nodes/agent-config.js';
import type { Json, JsonObject } from '../values/json.js';
import { type AgentNode, type HashedPlan, hashPlan, type Plan, type Rehearsal } from './plan.js';

/** The one node of a run that executes an agent, and the run's input and output. */
export const AGENT_NODE_ID = 'agent';
export const AGENT_INPUT = 'input';
export const AGENT_OUTPUT = 'output';

/** A run's own time limit goes off only when its agent's has not. */
const GRACE_MS = 60_000;

/** What a run of an agent says otherwise than the agent; names of `agent.run`'s fields. */
export type AgentOverrides = Readonly<Record<string, Json | undefined>>;

/** The spec that executes an agent: equal agents and equal overrides give an equal plan, whatever the input. */
export function agentRunSpec({ slug, revision }: AgentConfig, overrides: AgentOverrides): JsonObject {
  const given = Object.entries(overrides).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  const node: JsonObject = {
    id: AGENT_NODE_ID,
    type: 'agent.run',
    agent: `${slug}@${revision}`,
    ...Object.fromEntries(given),
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

/** The compiled spec with the agent's time limit as the only one, and what is rehearsed. */
export function agentRunPlan(compiled: Plan, rehearsal: Rehearsal | undefined): HashedPlan {
  const { max_duration_ms: durationMs } = agentNodeOf(compiled) as AgentNode;
  const execution = {
    ...compiled.execution,
    node_timeout_ms: Math.max(workflowDefaults.nodeTimeoutMs, durationMs),
    run_timeout_ms: durationMs + GRACE_MS,
  };
  const { rehearsal: _other, ...plan } = compiled;
  return hashPlan({ ...plan, execution, ...(rehearsal && { rehearsal }) });
}

/** The agent that a run executes; undefined for runs of workflows. */
export function agentNodeOf({ nodes }: Plan): AgentNode | undefined {
  const [node] = nodes;
  return nodes.length === 1 && node?.type === 'agent.run' && node.id === AGENT_NODE_ID ? node : undefined;
}
