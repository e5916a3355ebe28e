import type { JsonObject } from '../json.js';
import type { PlanNode } from '../plan.js';
import type { Issues, Path } from './issues.js';

type WithoutAfter<N> = N extends PlanNode ? Omit<N, 'after'> : never;

/** A node on its own, and the nodes whose output it reads. */
export interface CompiledNode {
  node: WithoutAfter<PlanNode>;
  reads: { nodeId: string; path: Path }[];
}

/** Compiles one node type. Undefined after its faults were added. */
export type NodeCompiler = (id: string, spec: JsonObject, path: Path, issues: Issues) => CompiledNode | undefined;
