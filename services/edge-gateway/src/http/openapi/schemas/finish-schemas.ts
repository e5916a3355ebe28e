import { mergeDirections } from './directions.js';
import { enumSchemas, nameEnums } from './enums.js';
import { nameParts } from './name-parts.js';
import type { Schema, Schemas } from './schema.js';

/**
 * Gives the schemas their final names: one component for both directions where they are equal, components for shared lists
 * of values and for the members of unions. Leaves out components that nothing refers to.
 */
export function finishSchemas<T>(document: T, components: Schemas): { document: T; schemas: Schemas } {
  const merged = mergeDirections(document, components);
  const schemas: Schemas = { ...enumSchemas() };
  for (const [name, schema] of Object.entries(merged.schemas)) schemas[name] = nameEnums(schema);
  nameParts(schemas);
  const named = nameEnumsWithin(merged.document) as T;
  return { document: named, schemas: keepUsed(schemas, JSON.stringify(named)) };
}

/** Replaces the enums of all schemas in a part of the document that is not itself a schema. */
function nameEnumsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameEnumsWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'schema' ? nameEnums(member as Schema) : nameEnumsWithin(member),
    ]),
  );
}

function keepUsed(schemas: Schemas, text: string): Schemas {
  const used = new Set<string>();
  const pending = [text];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [, name = ''] of next.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (!schema || used.has(name)) continue;
      used.add(name);
      pending.push(JSON.stringify(schema));
    }
  }
  const kept = [...used].sort();
  return Object.fromEntries(kept.map((name) => [name, schemas[name] as Schema]));
}
