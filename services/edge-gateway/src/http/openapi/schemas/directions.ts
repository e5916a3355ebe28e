import type { Schema, Schemas } from './schema.js';

const REFERENCE = /"#\/components\/schemas\/(\w+):(input|output)"/g;

/**
 * Gives every component its name in the document. A schema that clients send in another form than they receive it (members
 * with defaults are optional there) is two components: `Name` and `NameInput`.
 */
export function mergeDirections<T>(document: T, components: Schemas): { document: T; schemas: Schemas } {
  const both = findDifferences(components);
  const rename = (name: string, direction: string): string =>
    direction === 'input' && both.has(name) ? `${name}Input` : name;
  const renamed = <V>(value: V): V => {
    const text = JSON.stringify(value).replaceAll(REFERENCE, (_, name: string, direction: string) =>
      JSON.stringify(`#/components/schemas/${rename(name, direction)}`),
    );
    return JSON.parse(text) as V;
  };
  const schemas: Schemas = {};
  for (const [key, schema] of Object.entries(components)) {
    const [name = '', direction = ''] = key.split(':');
    schemas[rename(name, direction)] ??= renamed(schema);
  }
  return { document: renamed(document), schemas };
}

/** Returns the names of the schemas whose two forms differ, themselves or in a schema that they refer to. */
function findDifferences(components: Schemas): Set<string> {
  const pairs = Object.keys(components)
    .map((key) => key.split(':')[0]!)
    .filter((name) => components[`${name}:input`] && components[`${name}:output`]);
  const plain = (schema: Schema): string => JSON.stringify(schema).replaceAll(REFERENCE, '"$1"');
  const differing = new Set(
    pairs.filter((name) => plain(components[`${name}:input`]!) !== plain(components[`${name}:output`]!)),
  );
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const name of pairs) {
      const text = JSON.stringify(components[`${name}:input`]);
      if ([...text.matchAll(REFERENCE)].some(([, used]) => differing.has(used!))) differing.add(name);
    }
  }
  return differing;
}
