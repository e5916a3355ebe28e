import { mapSubschemas, type Schema } from './schema.js';

/** Formats whose patterns repeat what the format says; generators turn such patterns into wrong code. */
const FORMATS_WITH_PATTERNS = new Set(['uuid', 'date-time', 'date', 'email', 'uri']);
/** `storableText`: the document says once that texts have no NUL. */
const WITHOUT_NUL = '^[^\\x00]*$';
const MOMENT = 'A date, or a date with a time and an offset, as in ISO 8601';
const INT32_MAX = 2_147_483_647;

/**
 * Returns the schema as client generators understand it best: without fields that must be absent, with `type: [T, "null"]`
 * for optional values, with 64-bit integers, and without patterns that a format or a rule for all texts implies.
 */
export function tidy(schema: Schema): Schema {
  return tidyOwn(mapSubschemas(withoutNullFields(schema), tidy));
}

function tidyOwn(given: Schema): Schema {
  const schema = withNullType(withoutUnionOfOne(withoutPatterns(forGenerators(given))));
  if (schema.type === 'integer') return tidyInteger(schema);
  if (schema.propertyNames && Object.keys(schema.propertyNames).join() === 'type') delete schema.propertyNames;
  // A loose object: further members are passed on.
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length === 0)
    schema.additionalProperties = true;
  return schema;
}

/** Writes in another way what openapi-generator turns into code that does not compile. */
function forGenerators(schema: Schema): Schema {
  const { default: fallback, const: only, ...rest } = schema;
  if (isEmptyObject(fallback)) return forGenerators({ ...rest, ...(only !== undefined && { const: only }) });
  if (typeof only === 'boolean')
    return { description: `Always \`${only}\``, ...rest, ...(fallback !== undefined && { default: fallback }) };
  const { anyOf, ...others } = schema;
  const isMoment = anyOf?.length === 2 && anyOf.every(({ format = '' }) => ['date', 'date-time'].includes(format));
  return isMoment ? { type: 'string', description: MOMENT, ...others } : schema;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/**
 * Fields that a request must not have accept null, as the vendors' libraries send it, and some fields have a second spelling.
 * A client has no use for them, and generators give both spellings one name.
 */
function withoutNullFields(schema: Schema): Schema {
  if (!schema.properties) return schema;
  const { properties } = schema;
  const kept = Object.entries(properties).filter(
    ([name, member]) => member.type !== 'null' && !hasOtherSpelling(name, properties),
  );
  return { ...schema, properties: Object.fromEntries(kept) };
}

function hasOtherSpelling(name: string, properties: Record<string, Schema>): boolean {
  const camelCase = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return camelCase !== name && Object.hasOwn(properties, camelCase);
}

function withoutPatterns(schema: Schema): Schema {
  const { pattern, ...rest } = schema;
  if (rest.allOf) return withoutEmptyParts(schema);
  const isImplied = pattern === WITHOUT_NUL || FORMATS_WITH_PATTERNS.has(rest.format ?? '');
  return isImplied ? rest : schema;
}

/** Joins an intersection that has only one part left. */
function withoutEmptyParts({ allOf = [], ...rest }: Schema): Schema {
  const parts = allOf.filter((part) => Object.keys(part).length > 0);
  if (parts.length === 0) return rest;
  if (parts.length === 1 && !parts[0]!.$ref) return { ...rest, ...parts[0] };
  return { ...rest, allOf: parts };
}

function withoutUnionOfOne(schema: Schema): Schema {
  const { anyOf, oneOf, ...rest } = schema;
  const [only, ...others] = anyOf ?? oneOf ?? [];
  return only && others.length === 0 ? { ...only, ...rest } : schema;
}

/** Writes `anyOf: [X, null]` as one schema where X allows it. */
function withNullType(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!anyOf?.some(({ type }) => type === 'null')) return schema;
  const others = anyOf.filter(({ type }) => type !== 'null');
  const [other] = others;
  if (others.length !== 1 || !other) return schema;
  if (other.anyOf && Object.keys(other).length === 1) return { ...rest, anyOf: [...other.anyOf, { type: 'null' }] };
  // Generators take null in a list of values for a text.
  if (typeof other.type !== 'string' || other.const !== undefined || other.enum) return schema;
  return { ...other, ...rest, type: [other.type, 'null'] };
}

/** Leaves out the bounds of exact numbers in JSON; the format says that the number may need 64 bits. */
function tidyInteger(schema: Schema): Schema {
  const { minimum, maximum, ...rest } = schema;
  const isLarge = maximum === undefined || maximum > INT32_MAX;
  return {
    ...rest,
    ...(isLarge && { format: 'int64' }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}
