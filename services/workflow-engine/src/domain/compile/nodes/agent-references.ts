import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import { NodeFields } from './node-fields.js';

/** Returns the references to agents in a spec or fragment, as written. Ignores values that are not strings. */
export function findAgentReferences(spec: unknown): string[] {
  const nodes = isJsonObject(spec) && Array.isArray(spec.nodes) ? spec.nodes : [];
  return [...new Set(nodes.flatMap(nodeReferences))];
}

function nodeReferences(node: Json): string[] {
  if (!isJsonObject(node)) return [];
  const fields = new NodeFields(node, []);
  switch (node.type) {
    case 'agent.run':
      return toTexts(fields.get('agent'));
    case 'agent.scheduler':
      return [fields.get('coordinator'), ...toList(fields.get('agents'))].flatMap((agent) =>
        isJsonObject(agent) ? toTexts(agent.agent) : [],
      );
    case 'map.fanout':
      return nodeReferences((node.input as JsonObject | undefined)?.subnode ?? null);
    default:
      return [];
  }
}

function toTexts(value: Json | undefined): string[] {
  return typeof value === 'string' ? [value] : [];
}

function toList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
