import type { WorkflowKind } from '@tollgate/api/runs';
import type { PlanNode, Subgraph } from '../plan/plan.js';
import type { JsonObject } from '../values/json.js';
import type { Issues, Path } from './issues.js';
import type { AgentConfig, AgentDirectory } from './nodes/agent-config.js';

type WithoutPlace<N> = N extends PlanNode ? Omit<N, 'after' | 'guards'> : never;

/** A compiled node without its place in the graph, and the nodes whose output it reads. */
export interface CompiledNode {
  node: WithoutPlace<PlanNode>;
  reads: Read[];
}

export interface Read {
  nodeId: string;
  path: Path;
}

/** The values that a node may refer to, other than the outputs of other nodes. */
export interface CompileScope {
  kind: WorkflowKind;
  /** Names of declared inputs. */
  inputs: ReadonlySet<string>;
  /** Inside a fan-out, where `item` is the item. */
  isSubnode: boolean;
  issues: Issues;
  agents: AgentDirectory;
  fragments: FragmentCompiler;
}

/** Compiles the fragments that the agents of a spec bring along. */
export interface FragmentCompiler {
  /** By the key that `use` returns. */
  readonly compiled: ReadonlyMap<string, Subgraph>;
  /** Whether the plan has room for another copy of the agent: a spec may name a large agent many times. */
  hasRoomFor(agent: AgentConfig): boolean;
  /**
   * Returns the key of an agent's fragment. Returns undefined after it has added the issues at `path`, where the spec
   * names the agent.
   */
  use(agent: AgentConfig, name: string, path: Path, scope: CompileScope): string | undefined;
}

/** Compiles a node of one type. Returns undefined after it has added the node's issues. */
export type NodeCompiler = (id: string, spec: JsonObject, path: Path, scope: CompileScope) => CompiledNode | undefined;
