import { createHash } from 'node:crypto';
import type { ToolFailurePolicy, WorkflowKind } from '@tollgate/api';
import type { Condition } from '../run/condition.js';
import { canonicalJson, type Json, type JsonObject } from '../values/json.js';

/** A compiled spec: checked, with every default filled in and every dependency spelled out. Runs interpret it as data. */
export interface Plan {
  kind: WorkflowKind;
  name?: string;
  /** Declared inputs; absent in workflow.v0. */
  inputs?: PlanInput[];
  /** In the order of the spec, which is also the order in which ready nodes are taken. */
  nodes: PlanNode[];
  outputs: PlanOutput[];
  execution: { max_parallelism: number; node_timeout_ms: number; run_timeout_ms: number };
  /** Those that agents of the plan have as tools, by the key that their routes name. */
  fragments?: Record<string, Subgraph>;
  /** Of a run that tries an agent out. */
  rehearsal?: Rehearsal;
}

/** A graph that runs inside a node. Its references are those of its own spec: see place-node.ts. */
export interface Subgraph {
  inputs: PlanInput[];
  nodes: PlanNode[];
  outputs: PlanOutput[];
}

export interface Rehearsal {
  /** What tools answer, by name in whatever spelling. */
  mocks: JsonObject;
  /** A tool call that no mock answers fails its node. */
  is_dry_run: boolean;
  /** Model calls and tools are answered as they were in this run, and nothing is charged. */
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

/** Where a value comes from: a part of an upstream node's output, of a declared input, or of a fan-out's item. */
export interface Source {
  from: string;
  pointer: string;
}

export interface RetryPolicy {
  max_attempts: number;
  /** Absent: codes that may pass by themselves. */
  retryable_errors?: string[];
  backoff_ms: number;
}

/** What has to hold of one upstream node; without one, it has to succeed. */
export interface Guard {
  from: string;
  /** Its output is read, so it has to succeed whatever the edges say. */
  reads: boolean;
  /** One of these edges has to be taken: null is taken when the node succeeds. None = nothing more to hold. */
  edges: (Condition | null)[];
}

interface NodeBase {
  id: string;
  /** Nodes that have to end first, in the order of the spec. */
  after: string[];
  guards?: Guard[];
  retry?: RetryPolicy;
}

/** What every node has that asks a model. */
export interface ModelFields {
  /** Body of a model request, before bindings. */
  request: JsonObject;
  /** Whether its text is told as it comes. */
  stream: boolean;
  tool_execution: { mode: 'server' | 'client' };
  tool_limits: { max_llm_calls: number; max_tool_calls_per_step: number; wait_ttl_ms: number };
  bindings: Binding[];
}

export interface LlmNode extends NodeBase, ModelFields {
  type: 'llm.responses';
}

/** A model that chooses a route: its output is what it said, as JSON. */
export interface ModelSwitchNode extends NodeBase, ModelFields {
  type: 'route.switch';
}

/** The first case that holds names the route. */
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

/** An agent, as the revision says that was named, or current when the spec was compiled. */
export interface AgentNode extends NodeBase, ModelFields {
  type: 'agent.run';
  agent: AgentPin;
  /** The system prompt; what the agent remembers goes before it. */
  system: string;
  /** Tools that are not executed by their name alone, by name with underscores. */
  routes: Record<string, ToolRoute>;
  /** `tool_limits.max_llm_calls` is the agent's `max_steps`. */
  max_duration_ms: number;
  /** Of each model call and each tool call. */
  step_timeout_ms: number;
  tool_failure: { policy: ToolFailurePolicy; retries: number };
}

export interface AgentPin {
  id: string;
  slug: string;
  revision: number;
}

/** - `ends`: the call is the agent's last word. */
export type ToolRoute =
  | { to: 'hook'; hook_id: string }
  /** `inputs`: where each of the fragment's inputs is in the call's arguments. */
  | { to: 'fragment'; key: string; inputs: Record<string, string> }
  | { to: 'end' };

export type ModelNode = LlmNode | ModelSwitchNode | AgentNode;

export type Binding = Source & {
  /** Absent: raw text for a string in a placeholder, JSON elsewhere. */
  encoding?: 'json' | 'json_string';
} & ({ to: string; to_placeholder?: undefined } | { to_placeholder: string; to?: undefined });

export interface JoinNode extends NodeBase {
  type: 'join.all' | 'join.any' | 'join.collect';
  /** Of join.collect: goes on with so many. */
  limit?: number;
  /** Of join.collect: goes on with what has come so long after the first node before it began. */
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

/** Runs agents in rounds: all that work, then the one that coordinates them and says whether to go on. */
export interface SchedulerNode extends NodeBase {
  type: 'agent.scheduler';
  agents: { agent: AgentSubnode; count: number }[];
  coordinator: AgentSubnode;
  policy: { max_rounds: number; max_concurrency: number; max_steps: number; timeout_ms: number };
}

/** One call of an agent's fragment. No spec has such nodes: they come to be when the tool is called. */
export interface FragmentNode extends NodeBase {
  type: 'fragment';
  graph: Subgraph;
}

type WithoutPlace<N> = N extends PlanNode ? Omit<N, 'id' | 'after' | 'guards'> : never;

/** A node that has its id and its place only once its parent runs. */
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
  const text = canonicalJson(plan as unknown as Json);
  return { plan, text, hash: createHash('sha256').update(text).digest('hex') };
}

/** Whether the node asks a model. */
export function isModelNode(node: PlanNode): node is ModelNode {
  return 'request' in node;
}
