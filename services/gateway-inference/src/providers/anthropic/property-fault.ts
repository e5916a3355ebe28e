import { isObject, type Json } from '../convert/answer-reading.js';

/** Names of properties that the vendor accepts, at every depth. */
const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Returns why the vendor does not accept the names of a schema's properties. */
export function propertyFault(schema: Json | undefined): string | undefined {
  const name = schema && findRefused(schema);
  return name === undefined ? undefined : `its property ${JSON.stringify(name)} has a name that this provider refuses`;
}

function findRefused(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return findFirst(schema);
  if (!isObject(schema)) return undefined;
  const { properties, enum: _values, const: _value, default: _default, examples: _examples, ...rest } = schema;
  const named = isObject(properties) ? properties : {};
  return (
    Object.keys(named).find((name) => !ACCEPTED.test(name)) ??
    findFirst([...Object.values(named), ...Object.values(rest)])
  );
}

function findFirst(schemas: readonly unknown[]): string | undefined {
  for (const schema of schemas) {
    const found = findRefused(schema);
    if (found !== undefined) return found;
  }
  return undefined;
}
