import { storableText } from '@tollgate/api';
import type { SpecIssue } from '@tollgate/errors';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../json.js';
import { limits } from '../limits.js';
import { type HashedPlan, hashPlan, type Plan, type PlanNode, type PlanOutput } from '../plan.js';
import type { CompiledNode } from './compiled-node.js';
import { unreachableByCycle } from './graph.js';
import { Issues, type Path } from './issues.js';
import { nodeCompilers, unsupportedNodeTypes } from './node-compilers.js';
import { edgeSchema, executionSchema, nodeIdSchema, outputSchema } from './spec-schema.js';

export type CompileResult = ({ ok: true } & HashedPlan) | { ok: false; issues: readonly SpecIssue[] };

/** Turns a spec into a plan, or names everything that is wrong with it. Same spec, same plan, same hash. */
export function compileSpec(spec: unknown): CompileResult {
  const issues = new Issues();
  if (!isJsonObject(spec)) {
    issues.add('INVALID_VALUE', [], 'must be an object');
    return { ok: false, issues: issues.found };
  }
  checkKind(spec, issues);
  const name = issues.parse(storableText(limits.nameLength).optional(), spec.name, ['name']);
  const { ids, compiled } = compileNodes(spec, issues);
  const dependencies = new Map(ids.map((id) => [id, new Set<string>()]));
  for (const { node, reads } of compiled) {
    for (const { nodeId, path } of reads) addDependency(dependencies, nodeId, node.id, path, issues);
  }
  addEdges(spec, dependencies, issues);
  checkGraph(dependencies, compiled, issues);
  const outputs = compileOutputs(spec, dependencies, issues);
  const execution = issues.parse(executionSchema.prefault({}), spec.execution, ['execution']);
  if (issues.found.length > 0 || !execution) return { ok: false, issues: issues.found };
  const nodes = compiled.map(({ node }) => withAfter(node, ids, dependencies));
  const plan: Plan = { kind: 'workflow.v0', nodes, outputs, execution };
  if (name !== undefined) plan.name = name;
  return { ok: true, ...hashPlan(plan) };
}

function checkKind(spec: JsonObject, issues: Issues): void {
  if (spec.kind === 'workflow.v0') return;
  if (spec.kind === undefined) issues.add('REQUIRED', ['kind'], 'must be workflow.v0');
  else if (spec.kind === 'workflow.v1') issues.add('UNSUPPORTED_KIND', ['kind'], 'workflow.v1 is not supported yet');
  else issues.add('INVALID_VALUE', ['kind'], 'must be workflow.v0');
}

function compileNodes(spec: JsonObject, issues: Issues): { ids: string[]; compiled: CompiledNode[] } {
  const ids: string[] = [];
  const compiled: CompiledNode[] = [];
  const specs = issues.parse(z.array(z.unknown()).min(1).max(limits.nodes), spec.nodes, ['nodes']) ?? [];
  for (const [index, nodeSpec] of specs.entries()) {
    const path = ['nodes', index];
    if (!isJsonObject(nodeSpec)) {
      issues.add('INVALID_VALUE', path, 'must be an object');
      continue;
    }
    const id = issues.parse(nodeIdSchema, nodeSpec.id, [...path, 'id']);
    if (id !== undefined && ids.includes(id)) issues.add('DUPLICATE_NODE', [...path, 'id'], `a second node ${id}`);
    else if (id !== undefined) ids.push(id);
    const node = compileNode(id ?? '', nodeSpec, path, issues);
    if (node && id !== undefined) compiled.push(node);
  }
  return { ids, compiled };
}

function compileNode(id: string, spec: JsonObject, path: Path, issues: Issues): CompiledNode | undefined {
  if (spec.retry !== undefined) {
    issues.add('UNSUPPORTED_FIELD', [...path, 'retry'], 'belongs to workflow.v1, which is not supported yet');
  }
  const type = issues.parse(z.string(), spec.type, [...path, 'type']);
  if (type === undefined) return undefined;
  const compiler = Object.hasOwn(nodeCompilers, type) ? nodeCompilers[type] : undefined;
  if (compiler) return compiler(id, spec, path, issues);
  if (unsupportedNodeTypes.has(type)) {
    issues.add('UNSUPPORTED_NODE_TYPE', [...path, 'type'], `node type ${type} is not supported yet`);
  } else {
    issues.add('UNKNOWN_NODE_TYPE', [...path, 'type'], `unknown node type ${type}`);
  }
  return undefined;
}

function addDependency(
  dependencies: Map<string, Set<string>>,
  from: string,
  to: string,
  path: Path,
  issues: Issues,
): void {
  if (dependencies.has(from)) dependencies.get(to)?.add(from);
  else issues.add('UNKNOWN_NODE', path, `no node ${from}`);
}

function addEdges(spec: JsonObject, dependencies: Map<string, Set<string>>, issues: Issues): void {
  const edges = issues.parse(z.array(z.unknown()).max(limits.edges).default([]), spec.edges, ['edges']) ?? [];
  for (const [index, edgeSpec] of edges.entries()) {
    const path = ['edges', index];
    const edge = issues.parse(edgeSchema, edgeSpec, path);
    if (!edge) continue;
    if (edge.when !== undefined) {
      issues.add('UNSUPPORTED_FIELD', [...path, 'when'], 'belongs to workflow.v1, which is not supported yet');
    }
    if (!dependencies.has(edge.to)) issues.add('UNKNOWN_NODE', [...path, 'to'], `no node ${edge.to}`);
    addDependency(dependencies, edge.from, edge.to, [...path, 'from'], issues);
  }
}

function checkGraph(dependencies: Map<string, Set<string>>, compiled: CompiledNode[], issues: Issues): void {
  const stuck = unreachableByCycle(dependencies);
  if (stuck.length > 0) issues.add('CYCLE', ['nodes'], `these nodes wait for each other: ${stuck.join(', ')}`);
  for (const { node } of compiled) {
    if (node.type !== 'join.all' || dependencies.get(node.id)?.size !== 0) continue;
    issues.add('REQUIRED', ['edges'], `join.all node ${node.id} needs an edge that leads to it`);
  }
}

function compileOutputs(spec: JsonObject, dependencies: ReadonlyMap<string, unknown>, issues: Issues): PlanOutput[] {
  const outputs = issues.parse(z.array(outputSchema).max(limits.outputs).default([]), spec.outputs, ['outputs']) ?? [];
  const names = new Set<string>();
  for (const [index, output] of outputs.entries()) {
    if (names.has(output.name)) {
      issues.add('DUPLICATE_OUTPUT', ['outputs', index, 'name'], `a second output ${output.name}`);
    }
    names.add(output.name);
    if (!dependencies.has(output.from))
      issues.add('UNKNOWN_NODE', ['outputs', index, 'from'], `no node ${output.from}`);
  }
  return outputs;
}

function withAfter(
  node: CompiledNode['node'],
  ids: readonly string[],
  dependencies: ReadonlyMap<string, ReadonlySet<string>>,
): PlanNode {
  const upstream = dependencies.get(node.id);
  return { ...node, after: ids.filter((id) => upstream?.has(id)) } as PlanNode;
}
