import type { AgentSubnode, ModelFields, PlanNode, Source, Subnode, Transform } from './plan.js';
import { isNodeReference } from './references.js';

/** Converts a node id of one graph to the id in the whole run. */
type Rename = (reference: string) => string;

/** Places a node of a fragment below its call: renames the node and all nodes that it refers to. */
export function placeNode(node: PlanNode, callId: string): PlanNode {
  const rename: Rename = (reference) => (isNodeReference(reference) ? `${callId}.${reference}` : reference);
  const place = {
    id: rename(node.id),
    after: node.after.map(rename),
    ...(node.guards && { guards: node.guards.map((guard) => ({ ...guard, from: rename(guard.from) })) }),
  };
  return { ...withSources(node, rename), ...place } as PlanNode;
}

export function placeSource<S extends Source>(source: S, callId: string): S {
  return renamed(source, (reference) => (isNodeReference(reference) ? `${callId}.${reference}` : reference));
}

function withSources<N extends PlanNode | Subnode>(node: N, rename: Rename): N {
  if ('bindings' in node) return { ...node, bindings: bindings(node, rename) };
  if ('transform' in node) return { ...node, transform: transform(node.transform, rename) };
  if ('source' in node) return { ...node, source: renamed(node.source, rename) };
  if (node.type === 'map.fanout') {
    return { ...node, items: renamed(node.items, rename), subnode: withSources(node.subnode, rename) };
  }
  if (node.type !== 'agent.scheduler') return node;
  const agents = node.agents.map(({ agent, count }) => ({ agent: withSources(agent, rename), count }));
  return { ...node, agents, coordinator: withSources<AgentSubnode>(node.coordinator, rename) };
}

function bindings({ bindings: all }: Pick<ModelFields, 'bindings'>, rename: Rename): ModelFields['bindings'] {
  return all.map((binding) => renamed(binding, rename));
}

function transform(rule: Transform, rename: Rename): Transform {
  switch (rule.form) {
    case 'pick':
      return { ...rule, source: renamed(rule.source, rename) };
    case 'object':
      return { ...rule, entries: rule.entries.map(({ key, source }) => ({ key, source: renamed(source, rename) })) };
    case 'merge':
      return { ...rule, sources: rule.sources.map((source) => renamed(source, rename)) };
  }
}

function renamed<S extends Source>(source: S, rename: Rename): S {
  return { ...source, from: rename(source.from) };
}
