import { createHash } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from './json.js';

/** A compiled spec: checked, with every default filled in and every dependency spelled out. Runs interpret it as data. */
export interface Plan {
  kind: 'workflow.v0';
  name?: string;
  /** In the order of the spec, which is also the order in which ready nodes are taken. */
  nodes: PlanNode[];
  outputs: PlanOutput[];
  execution: { max_parallelism: number; node_timeout_ms: number; run_timeout_ms: number };
}

export interface PlanOutput {
  name: string;
  from: string;
  pointer: string;
}

/** Where a value comes from: a part of an upstream node's output. */
export interface Source {
  from: string;
  pointer: string;
}

interface NodeBase {
  id: string;
  /** Nodes that have to succeed first, in the order of the spec. */
  after: string[];
}

export interface LlmNode extends NodeBase {
  type: 'llm.responses';
  /** Body of a model request, before bindings. */
  request: JsonObject;
  /** Whether its text is told as it comes. */
  stream: boolean;
  tool_execution: { mode: 'server' | 'client' };
  tool_limits: { max_llm_calls: number; max_tool_calls_per_step: number; wait_ttl_ms: number };
  bindings: Binding[];
}

export type Binding = Source & {
  /** Absent: raw text for a string in a placeholder, JSON elsewhere. */
  encoding?: 'json' | 'json_string';
} & ({ to: string; to_placeholder?: undefined } | { to_placeholder: string; to?: undefined });

export interface JoinNode extends NodeBase {
  type: 'join.all';
}

export interface TransformNode extends NodeBase {
  type: 'transform.json';
  transform: Transform;
}

export type Transform =
  | { form: 'pick'; source: Source }
  | { form: 'object'; entries: { key: string; source: Source }[] }
  | { form: 'merge'; sources: Source[] };

export type PlanNode = LlmNode | JoinNode | TransformNode;

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

export function nodeOf(plan: Plan, nodeId: string): PlanNode {
  const node = plan.nodes.find((candidate) => candidate.id === nodeId);
  if (!node) throw new Error(`the plan has no node ${nodeId}`);
  return node;
}
