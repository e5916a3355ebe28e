import { workflowEdge, workflowLimits } from '@tollgate/api/runs';
import { z } from 'zod';
import type { Condition } from '../../run/condition.js';
import type { JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import type { Issues, Path } from '../issues.js';
import { compileCondition, compilePredicate, type Edge } from './guards.js';

/** For each node, the ids of the nodes that it depends on. All ids exist. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

export interface Graph {
  dependencies: Dependencies;
  edges: readonly Edge[];
}

interface Parts {
  spec: JsonObject;
  ids: readonly string[];
  specs: ReadonlyMap<string, { spec: JsonObject; path: Path }>;
  compiled: readonly CompiledNode[];
  scope: CompileScope;
}

/** Links the nodes by the outputs that they read and by the edges. */
export function linkNodes({ spec, ids, specs, compiled, scope }: Parts): Graph {
  const { issues } = scope;
  const dependencies = new Map(ids.map((id) => [id, new Set<string>()]));
  for (const { node, reads } of compiled) {
    for (const { nodeId, path } of reads) addDependency(dependencies, { from: nodeId, to: node.id, path }, issues);
  }
  const edges: Edge[] = [];
  const array = z.array(z.unknown()).max(workflowLimits.edges).default([]);
  for (const [index, value] of (issues.parse(array, spec.edges, ['edges']) ?? []).entries()) {
    const path = ['edges', index];
    const edge = issues.parse(workflowEdge, value, path);
    if (!edge) continue;
    const when = edge.when === undefined ? null : compileWhen(edge.when, [...path, 'when'], scope);
    if (!dependencies.has(edge.to)) issues.add('UNKNOWN_NODE', [...path, 'to'], `no node ${edge.to}`);
    addDependency(dependencies, { from: edge.from, to: edge.to, path: [...path, 'from'] }, issues);
    if (when !== undefined) edges.push({ from: edge.from, to: edge.to, when });
  }
  checkGraph(dependencies, compiled, issues);
  return { dependencies, edges: withPredicates(edges, specs, scope) };
}

function compileWhen(value: unknown, path: Path, scope: CompileScope): Condition | undefined {
  if (scope.kind === 'workflow.v1') return compileCondition(value, path, scope);
  scope.issues.add('UNSUPPORTED_FIELD', path, 'requires workflow.v1');
  return undefined;
}

/** Applies a join's predicate to the edges that lead to it. An edge's own condition takes precedence. */
function withPredicates(edges: readonly Edge[], specs: Parts['specs'], scope: CompileScope): Edge[] {
  const predicates = new Map<string, Condition | undefined>();
  for (const [id, { spec, path }] of specs) {
    if (scope.kind === 'workflow.v1' && (spec.type === 'join.any' || spec.type === 'join.collect')) {
      predicates.set(id, compilePredicate(spec, path, scope));
    }
  }
  return edges.map((edge) => ({ ...edge, when: edge.when ?? predicates.get(edge.to) ?? null }));
}

function addDependency(
  dependencies: Map<string, Set<string>>,
  { from, to, path }: { from: string; to: string; path: Path },
  issues: Issues,
): void {
  if (dependencies.has(from)) dependencies.get(to)?.add(from);
  else issues.add('UNKNOWN_NODE', path, `no node ${from}`);
}

function checkGraph(dependencies: Dependencies, compiled: readonly CompiledNode[], issues: Issues): void {
  const stuck = unreachableByCycle(dependencies);
  if (stuck.length > 0) issues.add('CYCLE', ['nodes'], `these nodes form a cycle: ${stuck.join(', ')}`);
  for (const { node } of compiled) {
    if (!node.type.startsWith('join.') || dependencies.get(node.id)?.size !== 0) continue;
    issues.add('REQUIRED', ['edges'], `${node.type} node ${node.id} needs an edge that leads to it`);
  }
}

/**
 * Returns the nodes that lie on a cycle or can be reached only through one, in the order of the map. Empty when every
 * node can run.
 */
export function unreachableByCycle(dependencies: Dependencies): string[] {
  const missing = new Map([...dependencies].map(([id, after]) => [id, after.size]));
  const followers = new Map<string, string[]>();
  for (const [id, after] of dependencies) {
    for (const upstream of after) {
      const known = followers.get(upstream);
      if (known) known.push(id);
      else followers.set(upstream, [id]);
    }
  }
  const ready = [...missing].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    missing.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const left = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return [...missing.keys()];
}
