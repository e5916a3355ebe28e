import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import { NodeFields } from './node-fields.js';

/** Every agent that the nodes of a spec or of a fragment name, as they name it. Whatever is no text is left out. */
export function agentReferencesOf(spec: unknown): string[] {
  const nodes = isJsonObject(spec) && Array.isArray(spec.nodes) ? spec.nodes : [];
  return [...new Set(nodes.flatMap(referencesOfNode))];
}

function referencesOfNode(node: Json): string[] {
  if (!isJsonObject(node)) return [];
  const fields = new NodeFields(node, []);
  switch (node.type) {
    case 'agent.run':
      return textOf(fields.get('agent'));
    case 'agent.scheduler':
      return [fields.get('coordinator'), ...listOf(fields.get('agents'))].flatMap((agent) =>
        isJsonObject(agent) ? textOf(agent.agent) : [],
      );
    case 'map.fanout':
      return referencesOfNode((node.input as JsonObject | undefined)?.subnode ?? null);
    default:
      return [];
  }
}

function textOf(value: Json | undefined): string[] {
  return typeof value === 'string' ? [value] : [];
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
