import { AppError } from '@tollgate/errors';

type Schema = Record<string, unknown>;

/** Keywords whose value is a map of names to schemas. */
const schemaMaps = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];
/** Keywords whose value is a list of schemas. */
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
/** Keywords whose value is a schema. The value of `items` was a list before `prefixItems` existed. */
const schemas = ['items', 'additionalItems', 'unevaluatedItems', 'not', 'if', 'then', 'else', 'contains'];

/**
 * Returns the schema that every provider gets: objects are closed and require all their properties, so optional properties
 * must be nullable. Rejects map-style objects, which cannot be closed.
 *
 * @param keepsOptional whether optional properties stay optional
 * @throws AppError VALIDATION_ERROR naming the path of an `additionalProperties` subschema.
 */
export function closeSchema(schema: Schema, path: string, keepsOptional = false): Schema {
  const closed: Schema = { ...schema };
  const extra = schema.additionalProperties;
  if (typeof extra === 'object' && extra !== null) throw mapStyle(`${path}.additionalProperties`);
  for (const keyword of schemaMaps) {
    if (isSchema(schema[keyword])) closed[keyword] = closeMap(schema[keyword], `${path}.${keyword}`, keepsOptional);
  }
  for (const keyword of schemaLists) {
    const list = schema[keyword];
    if (Array.isArray(list))
      closed[keyword] = list.map((item, i) => closeAny(item, `${path}.${keyword}[${i}]`, keepsOptional));
  }
  for (const keyword of schemas) {
    if (isSchema(schema[keyword])) closed[keyword] = closeSchema(schema[keyword], `${path}.${keyword}`, keepsOptional);
  }
  if (describesObject(schema)) {
    closed.additionalProperties = false;
    if (!keepsOptional) closed.required = isSchema(schema.properties) ? Object.keys(schema.properties) : [];
  }
  return closed;
}

function closeMap(map: Schema, path: string, keepsOptional: boolean): Schema {
  const closed: Schema = {};
  for (const [name, schema] of Object.entries(map)) {
    // Assigning `__proto__` would change the object's prototype instead of adding a member.
    if (name !== '__proto__') closed[name] = closeAny(schema, `${path}.${name}`, keepsOptional);
  }
  return closed;
}

function closeAny(schema: unknown, path: string, keepsOptional: boolean): unknown {
  return isSchema(schema) ? closeSchema(schema, path, keepsOptional) : schema;
}

function describesObject(schema: Schema): boolean {
  const { type } = schema;
  const isNamed = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isNamed || isSchema(schema.properties) || schema.additionalProperties === true;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapStyle(path: string): AppError {
  const message = `map-style objects are not supported: ${path} must be absent or false`;
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: path, message: 'must not be a schema' }] });
}
