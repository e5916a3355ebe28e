import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { hasType, toUnion, toValidSchema } from './valid-schema.js';

/** References that are followed for one schema; definitions may refer to each other in a circle. */
const REFERENCES_MAX = 16;
/** Keywords that vendors do not accept at the top of a function's arguments, in addition to those that are merged. */
const topHints = ['not', 'enum', 'const', 'if', 'then', 'else', 'dependentSchemas', 'dependentRequired'] as const;

/**
 * Returns the schema of a function's arguments as vendors accept it: an object at the top, without `$ref` and without
 * alternatives there. Alternatives are merged into one object: a property may be what it is in one of them, and is
 * required if it is in all of them. The alternatives themselves are added to the description, so that the model reads them.
 * Returns undefined for a schema that describes no object.
 */
export function toArgumentsSchema(parameters: JsonObject | undefined): JsonObject | undefined {
  if (parameters === undefined) return { type: 'object' };
  const valid = toValidSchema(parameters);
  const merged = toObject(valid, definitions(valid), REFERENCES_MAX);
  if (!merged) return undefined;
  const { $schema: _draft, $id: _id, ...top } = merged;
  return { ...top, type: 'object' };
}

/** Returns why a schema cannot describe the arguments of a function. */
export function argumentsFault(parameters: JsonObject | undefined): string | undefined {
  return toArgumentsSchema(parameters) === undefined ? 'its schema does not describe an object' : undefined;
}

type Definitions = (name: string) => unknown;

function definitions({ $defs, definitions: older }: JsonObject): Definitions {
  return (name) => (isJsonObject($defs) && $defs[name]) || (isJsonObject(older) && older[name]);
}

/** Returns a schema as one object; undefined if it describes something else. */
function toObject(schema: JsonObject, find: Definitions, referencesLeft: number): JsonObject | undefined {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if (own.type !== undefined && !hasType(own, 'object')) return undefined;
  let merged: JsonObject = withoutHints(own);
  if ($ref !== undefined) {
    const target =
      referencesLeft > 0 && typeof $ref === 'string' ? find($ref.replace(/^#\/(\$defs|definitions)\//, '')) : undefined;
    const inner = isJsonObject(target) ? toObject(target, find, referencesLeft - 1) : undefined;
    if (!inner) return undefined;
    merged = mergeBoth(merged, inner);
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => (isJsonObject(part) ? toObject(part, find, referencesLeft - 1) : {}));
    if (parts.some((part) => part === undefined)) return undefined;
    for (const part of parts as JsonObject[]) merged = mergeBoth(merged, part);
  }
  for (const alternatives of [anyOf, oneOf]) {
    if (!Array.isArray(alternatives)) continue;
    const parts = alternatives.flatMap((part) => {
      const object = isJsonObject(part) ? toObject(part, find, referencesLeft - 1) : {};
      return object ? [object] : [];
    });
    if (parts.length === 0) return undefined;
    const hint = `one of: ${JSON.stringify(alternatives)}`;
    merged = withHint(mergeBoth(merged, mergeAny(parts)), hint);
  }
  return merged;
}

function withoutHints(schema: JsonObject): JsonObject {
  const kept = { ...schema };
  const hints = topHints.flatMap((keyword) => {
    if (kept[keyword] === undefined) return [];
    const hint = `${keyword}: ${JSON.stringify(kept[keyword])}`;
    delete kept[keyword];
    return [hint];
  });
  return hints.length > 0 ? withHint(kept, hints.join(', ')) : kept;
}

function withHint(schema: JsonObject, hint: string): JsonObject {
  const { description } = schema;
  const before = typeof description === 'string' && description !== '' ? `${description}\n\n` : '';
  return { ...schema, description: `${before}{${hint}}` };
}

/** Merges objects that hold together: a property that both describe is what both of them say. */
function mergeBoth(one: JsonObject, other: JsonObject): JsonObject {
  const properties = mergeProperties([one, other], (both) => ({ allOf: both }));
  const required = [...new Set([...listRequired(one), ...listRequired(other)])];
  const texts = [one.description, other.description].filter((each) => each !== undefined);
  return {
    ...other,
    ...one,
    ...properties,
    ...(required.length > 0 ? { required } : {}),
    ...(texts.length > 0 ? { description: texts.join('\n\n') } : {}),
  };
}

/** Merges objects of which one holds. */
function mergeAny(parts: readonly JsonObject[]): JsonObject {
  const properties = mergeProperties(parts, toUnion);
  const [first = [], ...others] = parts.map(listRequired);
  const required = first.filter((name) => others.every((names) => names.includes(name)));
  const isOpen = parts.some(({ additionalProperties }) => additionalProperties !== false);
  return {
    ...properties,
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
}

function mergeProperties(
  parts: readonly JsonObject[],
  combine: (schemas: unknown[]) => unknown,
): { properties?: JsonObject } {
  const found = new Map<string, unknown[]>();
  for (const { properties } of parts) {
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const known = found.get(name) ?? [];
      const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
      found.set(name, isKnown ? known : [...known, schema]);
    }
  }
  if (found.size === 0) return {};
  const entries = [...found].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : combine(schemas)]);
  return { properties: Object.fromEntries(entries) as JsonObject };
}

function listRequired({ required }: JsonObject): string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}
