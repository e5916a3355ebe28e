import { workflowLimits, workflowNodeId, workflowOutput } from '@tollgate/api/runs';
import { z } from 'zod';
import type { PlanNode, PlanOutput, Subgraph } from '../../plan/plan.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import type { Issues, Path } from '../issues.js';
import { nodeCompilers } from '../nodes/node-compilers.js';
import { compileInputs } from './fragments.js';
import { type Dependencies, type Graph, linkNodes } from './graph.js';
import { compileGuards } from './guards.js';
import { compileRetry } from './retry.js';

/**
 * Compiles the inputs, nodes and outputs of a spec or of a fragment. Adds the issues of invalid parts and omits them.
 */
export function compileGraph(spec: JsonObject, outer: Omit<CompileScope, 'inputs'>): Subgraph {
  const { kind, issues } = outer;
  const inputs = kind === 'workflow.v1' ? compileInputs(spec, issues) : refuseInputs(spec, issues);
  const scope = { ...outer, inputs: new Set(inputs.map((input) => input.name)) };
  const { ids, specs, compiled } = compileNodes(spec, scope);
  const graph = linkNodes({ spec, ids, specs, compiled, scope });
  const outputs = compileOutputs(spec, graph.dependencies, issues);
  return { inputs, nodes: compiled.map((node) => placeNode(node, ids, graph)), outputs };
}

function refuseInputs(spec: JsonObject, issues: Issues): [] {
  if (spec.inputs !== undefined) issues.add('UNSUPPORTED_FIELD', ['inputs'], 'requires workflow.v1');
  return [];
}

/** Compiles each node by itself. `ids` and `specs` contain the nodes with a valid id, `compiled` the valid nodes. */
function compileNodes(spec: JsonObject, scope: CompileScope) {
  const { issues } = scope;
  const ids: string[] = [];
  const specs = new Map<string, { spec: JsonObject; path: Path }>();
  const compiled: CompiledNode[] = [];
  const nodes = issues.parse(z.array(z.unknown()).min(1).max(workflowLimits.nodes), spec.nodes, ['nodes']) ?? [];
  for (const [index, nodeSpec] of nodes.entries()) {
    const path = ['nodes', index];
    if (!isJsonObject(nodeSpec)) {
      issues.add('INVALID_VALUE', path, 'must be an object');
      continue;
    }
    const id = issues.parse(workflowNodeId, nodeSpec.id, [...path, 'id']);
    if (id !== undefined && specs.has(id))
      issues.add('DUPLICATE_NODE', [...path, 'id'], `node ${id} is declared twice`);
    else if (id !== undefined) {
      ids.push(id);
      specs.set(id, { spec: nodeSpec, path });
    }
    const node = compileNode(id ?? '', nodeSpec, path, scope);
    if (node && id !== undefined) compiled.push(node);
  }
  return { ids, specs, compiled };
}

/** Node types that have their own form of retry. */
const WITHOUT_RETRY: ReadonlySet<unknown> = new Set(['map.fanout', 'agent.scheduler']);

function compileNode(id: string, spec: JsonObject, path: Path, scope: CompileScope): CompiledNode | undefined {
  const { issues, kind } = scope;
  const type = issues.parse(z.string(), spec.type, [...path, 'type']);
  const retry = WITHOUT_RETRY.has(type) ? {} : compileRetry(spec, path, scope);
  if (type === undefined) return undefined;
  const known = nodeCompilers[kind];
  if (Object.hasOwn(known, type)) {
    const compiled = known[type]?.(id, spec, path, scope);
    return compiled && { ...compiled, node: { ...compiled.node, ...retry } };
  }
  const at = [...path, 'type'];
  if (Object.hasOwn(nodeCompilers['workflow.v1'], type)) {
    issues.add('UNSUPPORTED_NODE_TYPE', at, `node type ${type} requires workflow.v1`);
  } else issues.add('UNKNOWN_NODE_TYPE', at, `unknown node type ${type}`);
  return undefined;
}

function placeNode({ node, reads }: CompiledNode, ids: readonly string[], graph: Graph): PlanNode {
  const upstream = graph.dependencies.get(node.id);
  const after = ids.filter((id) => upstream?.has(id));
  const guards = compileGuards(node.id, after, graph.edges, new Set(reads.map((read) => read.nodeId)));
  return { ...node, after, ...(guards && { guards }) } as PlanNode;
}

/** Compiles the declared outputs of a run. */
function compileOutputs(spec: JsonObject, dependencies: Dependencies, issues: Issues): PlanOutput[] {
  const outputs = issues.parseEach(workflowOutput, spec.outputs, ['outputs'], workflowLimits.outputs);
  const names = new Set<string>();
  for (const { value, path } of outputs) {
    const { name, from } = value;
    if (names.has(name)) issues.add('DUPLICATE_OUTPUT', [...path, 'name'], `output ${name} is declared twice`);
    names.add(name);
    if (!dependencies.has(from)) issues.add('UNKNOWN_NODE', [...path, 'from'], `no node ${from}`);
  }
  return outputs.map(({ value }) => value);
}
