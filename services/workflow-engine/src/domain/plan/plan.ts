import { createHash } from 'node:crypto';
import type { ToolFailurePolicy, WorkflowKind } from '@tollgate/api/runs';
import { canonicalJson } from '@tollgate/runtime/canonical-json';
import type { Condition } from '../run/condition.js';
import type { Json, JsonObject } from '../values/json.js';

/** A compiled spec: valid, with all defaults and explicit dependencies. Runs interpret it as data. */
export interface Plan {
  kind: WorkflowKind;
  name?: string;
  /** Declared inputs; absent in workflow.v0. */
  inputs?: PlanInput[];
  /** In the order of the spec, in which ready nodes are also queued. */
  nodes: PlanNode[];
  outputs: PlanOutput[];
  execution: { max_parallelism: number; node_timeout_ms: number; run_timeout_ms: number };
  /** Fragments that are tools of the plan's agents, by the key in their routes. */
  fragments?: Record<string, Subgraph>;
  /** Set for a run that tests or replays an agent. */
  rehearsal?: Rehearsal;
}

/** A graph that runs inside a node. It refers to nodes by their ids in its own spec: see place-node.ts. */
export interface Subgraph {
  inputs: PlanInput[];
  nodes: PlanNode[];
  outputs: PlanOutput[];
}

export interface Rehearsal {
  /** Answers by tool name, in either spelling. */
  mocks: JsonObject;
  /** Whether a tool call without a mock fails its node. */
  is_dry_run: boolean;
  /** The recorded run that answers model calls and tools. Nothing is charged. */
  replay_of?: string;
}

export interface PlanInput {
  name: string;
  type: 'json' | 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  required: boolean;
  default?: Json;
}

export interface PlanOutput {
  name: string;
  from: string;
  pointer: string;
}

/** The source of a value: a part of an upstream node's output, of a declared input, or of a fan-out's item. */
export interface Source {
  from: string;
  pointer: string;
}

export interface RetryPolicy {
  max_attempts: number;
  /** Absent: all transient error codes. */
  retryable_errors?: string[];
  backoff_ms: number;
}

/** The condition on one upstream node. Without a guard, the upstream node must succeed. */
export interface Guard {
  from: string;
  /** Whether the node reads its output. Then it must succeed in any case. */
  reads: boolean;
  /** At least one of these edges must be taken, if there are any. `null` is taken when the upstream node succeeds. */
  edges: (Condition | null)[];
}

interface NodeBase {
  id: string;
  /** Nodes that must end first, in the order of the spec. */
  after: string[];
  guards?: Guard[];
  retry?: RetryPolicy;
}

/** The fields of every node that asks a model. */
export interface ModelFields {
  /** Body of a model request, before bindings. */
  request: JsonObject;
  /** Whether its text is streamed. */
  stream: boolean;
  tool_execution: { mode: 'server' | 'client' };
  tool_limits: { max_llm_calls: number; max_tool_calls_per_step: number; wait_ttl_ms: number };
  bindings: Binding[];
  /** Names of the MCP servers whose tools the model may call; absent for none. */
  mcp_servers?: string[];
}

export interface LlmNode extends NodeBase, ModelFields {
  type: 'llm.responses';
}

/** A model that chooses a route. Its output is the JSON in the model's text. */
export interface ModelSwitchNode extends NodeBase, ModelFields {
  type: 'route.switch';
}

/** Takes the route of the first case that holds. */
export interface CaseSwitchNode extends NodeBase {
  type: 'route.switch';
  source: Source;
  cases: SwitchCase[];
  default?: string;
}

export interface SwitchCase {
  route: string;
  op: Condition['op'];
  pointer: string;
  value?: Json;
}

/** An agent at the named revision, or at the current one when the spec was compiled. */
export interface AgentNode extends NodeBase, ModelFields {
  type: 'agent.run';
  agent: AgentPin;
  /** The system prompt. The agent's memory precedes it. */
  system: string;
  /** Tools that are not executed by name, by their name with underscores. */
  routes: Record<string, ToolRoute>;
  /** `tool_limits.max_llm_calls` is the agent's `max_steps`. */
  max_duration_ms: number;
  /** The time limit of each model call and each tool call. */
  step_timeout_ms: number;
  tool_failure: { policy: ToolFailurePolicy; retries: number };
}

export interface AgentPin {
  id: string;
  slug: string;
  revision: number;
}

/** How a tool call that is not executed by name is executed. `end`: the call ends the agent. */
export type ToolRoute =
  | { to: 'hook'; hook_id: string }
  | { to: 'mcp'; server: string }
  /** `inputs`: the pointer into the call's arguments for each input of the fragment. */
  | { to: 'fragment'; key: string; inputs: Record<string, string> }
  | { to: 'end' };

export type ModelNode = LlmNode | ModelSwitchNode | AgentNode;

export type Binding = Source & {
  /** Absent: a string in a placeholder is inserted as text, everything else as JSON. */
  encoding?: 'json' | 'json_string';
} & ({ to: string; to_placeholder?: undefined } | { to_placeholder: string; to?: undefined });

export interface JoinNode extends NodeBase {
  type: 'join.all' | 'join.any' | 'join.collect';
  /** join.collect: continues with this many outputs. */
  limit?: number;
  /** join.collect: continues this long after the start of the first upstream node. */
  timeout_ms?: number;
}

export interface TransformNode extends NodeBase {
  type: 'transform.json';
  transform: Transform;
}

export type Transform =
  | { form: 'pick'; source: Source }
  | { form: 'object'; entries: { key: string; source: Source }[] }
  | { form: 'merge'; sources: Source[] };

/** Runs one node per item of an array. */
export interface FanoutNode extends NodeBase {
  type: 'map.fanout';
  items: Source;
  max_items: number;
  max_parallelism: number;
  subnode: Subnode;
}

/** Runs agents in rounds: all workers, then the coordinator, which decides whether another round follows. */
export interface SchedulerNode extends NodeBase {
  type: 'agent.scheduler';
  agents: { agent: AgentSubnode; count: number }[];
  coordinator: AgentSubnode;
  policy: { max_rounds: number; max_concurrency: number; max_steps: number; timeout_ms: number };
}

/** One call of an agent's fragment. A spec contains no such nodes: they are created when the tool is called. */
export interface FragmentNode extends NodeBase {
  type: 'fragment';
  graph: Subgraph;
}

type WithoutPlace<N> = N extends PlanNode ? Omit<N, 'id' | 'after' | 'guards'> : never;

/** A node that gets its id and its place when its parent runs. */
export type Subnode = WithoutPlace<LlmNode | ModelSwitchNode | CaseSwitchNode | TransformNode | AgentNode>;
export type AgentSubnode = WithoutPlace<AgentNode>;

export type PureNode = CaseSwitchNode | JoinNode | TransformNode;
export type PlanNode = ModelNode | PureNode | FanoutNode | SchedulerNode | FragmentNode;

export interface HashedPlan {
  plan: Plan;
  /** Canonical JSON of the plan. */
  text: string;
  /** SHA-256 of the text, 64 hex digits. */
  hash: string;
}

export function hashPlan(plan: Plan): HashedPlan {
  const text = canonicalJson(plan);
  return { plan, text, hash: createHash('sha256').update(text).digest('hex') };
}

/** Whether the node asks a model. */
export function isModelNode(node: PlanNode): node is ModelNode {
  return 'request' in node;
}
