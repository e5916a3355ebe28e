type Schema = Record<string, unknown>;

/** At this depth, recursive schemas get the shortest value that they allow. */
const DEPTH_MAX = 8;
const ITEMS_MAX = 64;
/** Steps that one example may take: a value, a property, an alternative or a part of `allOf` each. */
const STEPS_MAX = 10_000;

/** A value that conforms to a schema, unless `isCut`: the bounds ended it early. */
export interface Example {
  value: unknown;
  isCut: boolean;
}

/**
 * Returns a value that conforms to a JSON Schema, always the same for the same schema: a constant, enumerated, default or
 * example value if there is one, or else the smallest value within the bounds. A free string is the name of its property.
 * Builds at most about `charactersMax` characters of JSON; a schema that demands more gets a cut value.
 */
export function createExample(schema: unknown, charactersMax: number): Example {
  const writer = new ExampleWriter(schema, charactersMax);
  const value = writer.at(schema, 'value', 0);
  return { value, isCut: writer.isCut };
}

class ExampleWriter {
  readonly #root: unknown;
  #charactersLeft: number;
  #stepsLeft = STEPS_MAX;
  /** Lengths of constants, which are written as often as their schema is used. */
  readonly #lengths = new Map<unknown, number>();

  constructor(root: unknown, charactersMax: number) {
    this.#root = root;
    this.#charactersLeft = charactersMax;
  }

  get isCut(): boolean {
    return this.#charactersLeft < 0 || this.#stepsLeft < 0;
  }

  at(schema: unknown, name: string, depth: number): unknown {
    this.#take(1, 1);
    if (this.isCut) return null;
    if (!isRecord(schema)) return this.#text(name);
    const resolved = typeof schema.$ref === 'string' ? resolve(schema.$ref, this.#root) : undefined;
    if (resolved !== undefined) return depth > DEPTH_MAX ? null : this.at(resolved, name, depth + 1);
    if ('const' in schema) return this.#constant(schema.const);
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return this.#constant(schema.enum[0]);
    if ('default' in schema) return this.#constant(schema.default);
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return this.#constant(schema.examples[0]);
    if (Array.isArray(schema.allOf) && schema.allOf.length > 0) {
      return depth > 2 * DEPTH_MAX ? null : this.at(this.#merge(schema, schema.allOf), name, depth + 1);
    }
    const options = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(options) && options.length > 0) {
      this.#take(options.length);
      return this.at(pick(options, depth), name, depth + 1);
    }
    return this.#typed(schema, name, depth);
  }

  #take(steps: number, characters = 0): void {
    this.#stepsLeft -= steps;
    this.#charactersLeft -= characters;
  }

  #constant(value: unknown): unknown {
    let length = this.#lengths.get(value);
    if (length === undefined) {
      length = JSON.stringify(value)?.length ?? 0;
      this.#lengths.set(value, length);
    }
    this.#take(0, length);
    return value;
  }

  #text(text: string, least = 0): string {
    const padded = text.length < least ? text.padEnd(Math.min(least, this.#charactersLeft + 1), 'x') : text;
    this.#take(0, Math.max(padded.length, least));
    return padded;
  }

  #typed(schema: Schema, name: string, depth: number): unknown {
    switch (firstType(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, name, depth);
      case 'integer':
        return numberValue(schema, 1);
      case 'number':
        return numberValue(schema, typeof schema.multipleOf === 'number' ? schema.multipleOf : 1);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#string(schema, name);
    }
  }

  #object(schema: Schema, depth: number): Schema {
    const value: Schema = {};
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const entries = Object.entries(properties);
    this.#take(entries.length + required.size);
    for (const [name, property] of entries) {
      if (this.isCut) break;
      if (depth > DEPTH_MAX && !required.has(name)) continue;
      this.#take(0, name.length);
      if (name !== '__proto__') value[name] = depth > 2 * DEPTH_MAX ? null : this.at(property, name, depth + 1);
    }
    return value;
  }

  #array(schema: Schema, name: string, depth: number): unknown[] {
    const { prefixItems } = schema;
    const most = typeof schema.maxItems === 'number' ? schema.maxItems : ITEMS_MAX;
    const least = typeof schema.minItems === 'number' ? schema.minItems : depth > DEPTH_MAX ? 0 : 1;
    const length = Array.isArray(prefixItems) ? prefixItems.length : Math.max(0, Math.min(least, most, ITEMS_MAX));
    const items: unknown[] = [];
    while (items.length < length && !this.isCut) {
      items.push(this.at(Array.isArray(prefixItems) ? prefixItems[items.length] : schema.items, name, depth + 1));
    }
    return items;
  }

  #string(schema: Schema, name: string): string {
    const text = formats[String(schema.format)] ?? name;
    const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY;
    const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, most) : 0;
    return this.#text(text.length > most ? text.slice(0, most) : text, least);
  }

  #merge(schema: Schema, parts: readonly unknown[]): Schema {
    const { allOf: _, ...rest } = schema;
    const merged: Schema = rest;
    for (const entry of parts) {
      const part = isRecord(entry) && typeof entry.$ref === 'string' ? resolve(entry.$ref, this.#root) : entry;
      this.#take(1);
      if (this.isCut) break;
      if (!isRecord(part)) continue;
      const properties = { ...(merged.properties as Schema | undefined), ...(part.properties as Schema | undefined) };
      const required = [...listIn(merged.required), ...listIn(part.required)];
      this.#take(Object.keys(properties).length + required.length);
      Object.assign(merged, part, Object.keys(properties).length > 0 ? { properties, required } : {});
    }
    return merged;
  }
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the first type that is not null, so that nullable fields have a value. */
function firstType(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((entry) => entry !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (isRecord(schema.properties)) return 'object';
  return schema.items === undefined ? 'string' : 'array';
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

/** Chooses the alternative that ends a deep recursive schema. */
function pick(options: unknown[], depth: number): unknown {
  const isNull = (option: unknown): boolean => isRecord(option) && option.type === 'null';
  if (depth > DEPTH_MAX) return options.find(isNull) ?? options.at(-1);
  return options.find((option) => !isNull(option)) ?? options[0];
}

/** Resolves a local reference, `#/$defs/name`. */
function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of decoded(ref.slice(1)).split('/').filter(Boolean)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Returns the text itself if its percent signs are no escapes. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
