import type { WorkflowKind } from '@tollgate/api';
import type { PlanNode } from '../plan/plan.js';
import type { JsonObject } from '../values/json.js';
import type { Fragments } from './graph/fragments.js';
import type { Issues, Path } from './issues.js';
import type { AgentDirectory } from './nodes/agent-config.js';

type WithoutPlace<N> = N extends PlanNode ? Omit<N, 'after' | 'guards'> : never;

/** A node on its own, and the nodes whose output it reads. */
export interface CompiledNode {
  node: WithoutPlace<PlanNode>;
  reads: Read[];
}

export interface Read {
  nodeId: string;
  path: Path;
}

/** What a node may refer to besides other nodes. */
export interface CompileScope {
  kind: WorkflowKind;
  /** Names of declared inputs. */
  inputs: ReadonlySet<string>;
  /** Inside a fan-out, where `item` is the item. */
  isSubnode: boolean;
  issues: Issues;
  agents: AgentDirectory;
  fragments: Fragments;
}

/** Compiles one node type. Undefined after its faults were added. */
export type NodeCompiler = (id: string, spec: JsonObject, path: Path, scope: CompileScope) => CompiledNode | undefined;
