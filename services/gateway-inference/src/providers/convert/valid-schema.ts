import { isJsonObject, type JsonObject } from '@tollgate/runtime';

const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const maps = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const singles = [
  ...['items', 'additionalItems', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames'],
  ...['not', 'if', 'then', 'else', 'contains'],
];

/**
 * Returns the schema in the form of JSON Schema 2020-12, which vendors check: tools are often described in older drafts or by
 * hand. Lists of item schemas become `prefixItems`, every array gets `items`, Boolean bounds become numbers, and keywords whose
 * value has another type than the draft says are left out.
 */
export function toValidSchema(schema: JsonObject): JsonObject {
  const valid: JsonObject = { ...schema };
  fixType(valid);
  fixBounds(valid);
  fixObject(valid);
  fixTuple(valid);
  for (const keyword of maps) {
    if (valid[keyword] === undefined) continue;
    valid[keyword] = toValidMap(valid[keyword]);
  }
  for (const keyword of lists) {
    const list = valid[keyword];
    if (list === undefined) continue;
    if (Array.isArray(list) && list.length > 0) valid[keyword] = list.map(toValidAny);
    else delete valid[keyword];
  }
  for (const keyword of singles) {
    const value = valid[keyword];
    if (value === undefined) continue;
    if (isJsonObject(value)) valid[keyword] = toValidSchema(value);
    else if (typeof value !== 'boolean') delete valid[keyword];
  }
  if (hasType(valid, 'array') && valid.items === undefined) valid.items = {};
  return valid;
}

/** Replaces a list of item schemas, as before `prefixItems` existed. Entries after the list may be like any in it. */
export function fixTuple(schema: JsonObject): void {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return;
  delete schema.additionalItems;
  delete schema.items;
  if (items.length === 0) return;
  schema.prefixItems = items;
  schema.items = isJsonObject(additionalItems) ? additionalItems : toUnion(items);
  if (additionalItems === false) schema.maxItems ??= items.length;
}

/** Returns a schema that accepts what one of the schemas accepts. */
export function toUnion(schemas: readonly unknown[]): unknown {
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}

export function hasType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function fixType(schema: JsonObject): void {
  const { type } = schema;
  if (type === undefined) return;
  const known = (Array.isArray(type) ? type : [type]).filter((name) => typeNames.has(String(name)));
  if (known.length === 0) delete schema.type;
  else schema.type = Array.isArray(type) && known.length > 1 ? [...new Set(known)] : known[0];
}

/** In the fourth draft, these keywords said whether the bound itself is included. */
function fixBounds(schema: JsonObject): void {
  for (const [keyword, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = schema[keyword];
    if (value === undefined || typeof value === 'number') continue;
    delete schema[keyword];
    if (value !== true || typeof schema[bound] !== 'number') continue;
    schema[keyword] = schema[bound];
    delete schema[bound];
  }
  if (schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0)) delete schema.enum;
  if (schema.description !== undefined && typeof schema.description !== 'string') delete schema.description;
}

/** In the third draft, each property said whether it is required. */
function fixObject(schema: JsonObject): void {
  const { properties, required } = schema;
  const named = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  if (properties !== undefined && !isJsonObject(properties)) schema.properties = {};
  const marked = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, property]) =>
    isJsonObject(property) && property.required === true ? [name] : [],
  );
  const all = [...new Set([...named, ...marked])];
  if (Array.isArray(required) || marked.length > 0) schema.required = all;
  else delete schema.required;
}

function toValidMap(map: unknown): JsonObject {
  const valid: JsonObject = {};
  for (const [name, schema] of Object.entries(isJsonObject(map) ? map : {})) {
    // Assigning `__proto__` would change the object's prototype instead of adding a member.
    if (name !== '__proto__') valid[name] = typeof schema === 'boolean' ? schema : toValidAny(schema);
  }
  return valid;
}

function toValidAny(schema: unknown): unknown {
  if (typeof schema === 'boolean') return schema;
  return isJsonObject(schema) ? toValidSchema(schema) : {};
}
