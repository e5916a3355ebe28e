import { fanoutInput, itemBinding, workflowLimits as limits, type pathSource } from '@tollgate/api/runs';
import { z } from 'zod';
import type { Binding, Subnode } from '../../plan/plan.js';
import { ITEM_REFERENCE } from '../../plan/references.js';
import type { JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope, Read } from '../compiled-node.js';
import { compileRetry } from '../graph/retry.js';
import { compilePathSource, findReads, readPointer } from '../graph/sources.js';
import type { Issues, Path, Placed } from '../issues.js';
import { compileAgent } from './agent-run.js';
import { checkBindings, compileModelFields } from './model-node.js';
import { compileRouteSwitch, hasCases } from './route-switch.js';
import { compileTransformJson } from './transform-json.js';

const SUBNODE_TYPES = ['llm.responses', 'route.switch', 'transform.json', 'agent.run'];

/** Compiles `map.fanout`: one sub-node per item of an array. In the sub-node, `from: "item"` is the item. */
export function compileMapFanout(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const at = [...path, 'input'];
  const { issues } = scope;
  if (spec.retry !== undefined) {
    issues.add('UNSUPPORTED_FIELD', [...path, 'retry'], 'must be set on the sub-node: each item is retried on its own');
  }
  const input = issues.parse(z.record(z.string(), z.unknown()), spec.input, at);
  if (!input) return undefined;
  // Each part separately, so that an issue in one does not hide those of the others.
  const { items: source, subnode } = fanoutInput.shape;
  const bounds = issues.parse(fanoutInput.pick({ max_parallelism: true, max_items: true }), input, at);
  const items = compileItems(issues.parse(source, input.items, [...at, 'items']), [...at, 'items'], scope);
  const inner = issues.parse(subnode, input.subnode, [...at, 'subnode']) as JsonObject | undefined;
  const compiled =
    inner && compileSubnode(inner, compileItemBindings(input, at, issues), at, { ...scope, isSubnode: true });
  if (!bounds || !items || !compiled) return undefined;
  return {
    node: { id, type: 'map.fanout', items: items.source, ...bounds, subnode: compiled.subnode },
    reads: [...findReads([items]), ...compiled.reads],
  };
}

function compileItems(source: z.output<typeof pathSource> | undefined, path: Path, scope: CompileScope) {
  return source && { source: compilePathSource(source, path, scope), path };
}

function compileItemBindings(input: Record<string, unknown>, at: Path, issues: Issues): Placed<Binding>[] {
  const entries = issues.parseEach(itemBinding, input.item_bindings, [...at, 'item_bindings'], limits.bindingsPerNode);
  return entries.map(({ value, path }) => ({ value: toItemBinding(value), path }));
}

function compileSubnode(
  spec: JsonObject,
  placed: readonly Placed<Binding>[],
  at: Path,
  scope: CompileScope,
): { subnode: Subnode; reads: Read[] } | undefined {
  const path = [...at, 'subnode'];
  const bindings = placed.map(({ value }) => value);
  const retry = compileRetry(spec, path, scope);
  if (spec.type === 'agent.run') {
    const compiled = compileAgent(spec, path, scope, bindings);
    if (!compiled) return undefined;
    checkBindings(compiled.agent.request, placed, scope.issues);
    return { subnode: { ...compiled.agent, ...retry }, reads: compiled.reads };
  }
  const asksModel = spec.type === 'llm.responses' || (spec.type === 'route.switch' && !hasCases(spec));
  if (asksModel) {
    const model = compileModelFields(spec, path, scope, bindings);
    if (!model) return undefined;
    checkBindings(model.fields.request, placed, scope.issues);
    return { subnode: { type: spec.type, ...model.fields, ...retry } as Subnode, reads: model.reads };
  }
  if (bindings.length > 0) {
    scope.issues.add('BINDING_TARGET', [...at, 'item_bindings'], 'the sub-node has no request to bind to');
  }
  const compiled = compilePure(spec, path, scope);
  if (!compiled) return undefined;
  const { id: _none, ...subnode } = compiled.node;
  return { subnode: { ...subnode, ...retry } as Subnode, reads: compiled.reads };
}

function compilePure(spec: JsonObject, path: Path, scope: CompileScope): CompiledNode | undefined {
  if (spec.type === 'transform.json') return compileTransformJson('', spec, path, scope);
  if (spec.type === 'route.switch') return compileRouteSwitch('', spec, path, scope);
  scope.issues.add('UNSUPPORTED_NODE_TYPE', [...path, 'type'], `a sub-node must be one of ${SUBNODE_TYPES.join(', ')}`);
  return undefined;
}

function toItemBinding(binding: z.output<typeof itemBinding>): Binding {
  const { to, to_placeholder, encoding } = binding;
  const target = to === undefined ? { to_placeholder } : { to };
  return { from: ITEM_REFERENCE, pointer: readPointer(binding), ...target, ...(encoding && { encoding }) } as Binding;
}
