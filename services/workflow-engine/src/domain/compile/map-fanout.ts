import { fanoutInput, type itemBinding } from '@tollgate/api';
import type { z } from 'zod';
import type { JsonObject } from '../json.js';
import type { Binding, Subnode } from '../plan.js';
import { ITEM_REFERENCE } from '../references.js';
import { compileAgent } from './agent-run.js';
import type { CompiledNode, CompileScope, Read } from './compiled-node.js';
import type { Path } from './issues.js';
import { checkBindings, compileModelFields } from './model-node.js';
import { compileRetry } from './retry.js';
import { compileRouteSwitch, hasCases } from './route-switch.js';
import { compilePathSource, pointerOf, readsOf } from './sources.js';
import { compileTransformJson } from './transform-json.js';

const SUBNODE_TYPES = ['llm.responses', 'route.switch', 'transform.json', 'agent.run'];

/** `map.fanout`: one node per item of an array. Inside it, `from: "item"` is the item. */
export function compileMapFanout(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const at = [...path, 'input'];
  const { issues } = scope;
  if (spec.retry !== undefined) {
    issues.add('UNSUPPORTED_FIELD', [...path, 'retry'], 'belongs to the sub-node: each item is tried again on its own');
  }
  const input = issues.parse(fanoutInput, spec.input, at);
  if (!input) return undefined;
  const items = compilePathSource(input.items, [...at, 'items'], scope);
  const bindings = input.item_bindings.map(bindingOfItem);
  const inner = compileSubnode(input.subnode as JsonObject, bindings, at, { ...scope, isSubnode: true });
  if (!inner) return undefined;
  const { max_items, max_parallelism } = input;
  return {
    node: { id, type: 'map.fanout', items, max_items, max_parallelism, subnode: inner.subnode },
    reads: [...readsOf([{ source: items, path: [...at, 'items'] }]), ...inner.reads],
  };
}

function compileSubnode(
  spec: JsonObject,
  bindings: readonly Binding[],
  at: Path,
  scope: CompileScope,
): { subnode: Subnode; reads: Read[] } | undefined {
  const path = [...at, 'subnode'];
  const retry = compileRetry(spec, path, scope);
  if (spec.type === 'agent.run') {
    const compiled = compileAgent(spec, path, scope, bindings);
    if (!compiled) return undefined;
    checkBindings(compiled.agent.request, bindings, [...at, 'item_bindings'], scope.issues);
    return { subnode: { ...compiled.agent, ...retry }, reads: compiled.reads };
  }
  const asksModel = spec.type === 'llm.responses' || (spec.type === 'route.switch' && !hasCases(spec));
  if (asksModel) {
    const model = compileModelFields(spec, path, scope, bindings);
    if (!model) return undefined;
    checkBindings(model.fields.request, bindings, [...at, 'item_bindings'], scope.issues);
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
  scope.issues.add('UNSUPPORTED_NODE_TYPE', [...path, 'type'], `a sub-node is one of ${SUBNODE_TYPES.join(', ')}`);
  return undefined;
}

function bindingOfItem(binding: z.output<typeof itemBinding>): Binding {
  const { to, to_placeholder, encoding } = binding;
  const target = to === undefined ? { to_placeholder } : { to };
  return { from: ITEM_REFERENCE, pointer: pointerOf(binding), ...target, ...(encoding && { encoding }) } as Binding;
}
