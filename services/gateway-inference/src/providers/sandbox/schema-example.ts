type Schema = Record<string, unknown>;

/** At this depth, recursive schemas get the shortest value that they allow. */
const DEPTH_MAX = 8;
const ITEMS_MAX = 64;

/**
 * Returns a value that conforms to a JSON Schema, always the same for the same schema: a constant, enumerated, default or
 * example value if there is one, or else the smallest value within the bounds. A free string is the name of its property.
 */
export function createExample(schema: unknown, name = 'value'): unknown {
  return exampleAt(schema, name, schema, 0);
}

function exampleAt(schema: unknown, name: string, root: unknown, depth: number): unknown {
  if (!isRecord(schema)) return name;
  const resolved = typeof schema.$ref === 'string' ? resolve(schema.$ref, root) : undefined;
  if (resolved !== undefined) return depth > DEPTH_MAX ? null : exampleAt(resolved, name, root, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.allOf) && schema.allOf.length > 0) {
    return exampleAt(merge(schema, root), name, root, depth + 1);
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options) && options.length > 0) return exampleAt(pick(options, depth), name, root, depth + 1);
  return typedValue(schema, name, root, depth);
}

function typedValue(schema: Schema, name: string, root: unknown, depth: number): unknown {
  switch (firstType(schema)) {
    case 'object':
      return objectValue(schema, root, depth);
    case 'array':
      return arrayValue(schema, name, root, depth);
    case 'integer':
      return numberValue(schema, 1);
    case 'number':
      return numberValue(schema, typeof schema.multipleOf === 'number' ? schema.multipleOf : 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return stringValue(schema, name);
  }
}

/** Returns the first type that is not null, so that nullable fields have a value. */
function firstType(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((entry) => entry !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (isRecord(schema.properties)) return 'object';
  return schema.items === undefined ? 'string' : 'array';
}

function objectValue(schema: Schema, root: unknown, depth: number): Schema {
  const value: Schema = {};
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of Object.entries(properties)) {
    if (depth > DEPTH_MAX && !required.includes(name)) continue;
    if (name !== '__proto__') value[name] = depth > 2 * DEPTH_MAX ? null : exampleAt(property, name, root, depth + 1);
  }
  return value;
}

function arrayValue(schema: Schema, name: string, root: unknown, depth: number): unknown[] {
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item) => exampleAt(item, name, root, depth + 1));
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : ITEMS_MAX;
  const least = typeof schema.minItems === 'number' ? schema.minItems : depth > DEPTH_MAX ? 0 : 1;
  const length = Math.max(0, Math.min(least, most, ITEMS_MAX));
  return Array.from({ length }, () => exampleAt(schema.items, name, root, depth + 1));
}

function numberValue(schema: Schema, step: number): number {
  const multiple = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : step;
  let least = typeof schema.minimum === 'number' ? schema.minimum : undefined;
  if (typeof schema.exclusiveMinimum === 'number') least = schema.exclusiveMinimum + multiple;
  const most = typeof schema.maximum === 'number' ? schema.maximum : schema.exclusiveMaximum;
  if (least !== undefined) return Math.ceil(least / multiple) * multiple;
  if (typeof most === 'number' && most < multiple) return (Math.ceil(most / multiple) - 1) * multiple;
  return multiple;
}

const formats: Record<string, string> = {
  'date-time': '2025-01-01T00:00:00Z',
  date: '2025-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function stringValue(schema: Schema, name: string): string {
  const text = formats[String(schema.format)] ?? name;
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY;
  const padded = text.length < least ? text.padEnd(least, 'x') : text;
  return padded.length > most ? padded.slice(0, most) : padded;
}

/** Chooses the alternative that ends a deep recursive schema. */
function pick(options: unknown[], depth: number): unknown {
  const isNull = (option: unknown): boolean => isRecord(option) && option.type === 'null';
  if (depth > DEPTH_MAX) return options.find(isNull) ?? options.at(-1);
  return options.find((option) => !isNull(option)) ?? options[0];
}

function merge(schema: Schema, root: unknown): Schema {
  const { allOf, ...rest } = schema;
  const merged: Schema = { ...rest };
  for (const entry of allOf as unknown[]) {
    const part = isRecord(entry) && typeof entry.$ref === 'string' ? resolve(entry.$ref, root) : entry;
    if (!isRecord(part)) continue;
    const properties = { ...(merged.properties as Schema | undefined), ...(part.properties as Schema | undefined) };
    const required = [...((merged.required as unknown[]) ?? []), ...((part.required as unknown[]) ?? [])];
    Object.assign(merged, part, Object.keys(properties).length > 0 ? { properties, required } : {});
  }
  return merged;
}

/** Resolves a local reference, `#/$defs/name`. */
function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
