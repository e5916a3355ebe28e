import type { WorkflowKind } from '@tollgate/api';
import type { JsonObject } from '../json.js';
import type { PlanNode } from '../plan.js';
import type { AgentDirectory } from './agent-config.js';
import type { Fragments } from './fragments.js';
import type { Issues, Path } from './issues.js';

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
