import { isObject, type Json } from './vendor-refusal.js';

const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const DEPTH_MAX = 64;

/** A place in a schema: `['properties', 'a', 'items']`. */
export type SchemaPath = readonly string[];

/** Looks at one object of a schema. Returns what is wrong with it. */
export type SchemaRule = (schema: Json, path: SchemaPath) => string | undefined;

/** Returns the first fault of a schema and of the schemas inside it. */
export function findSchemaFault(schema: Json, rule: SchemaRule, path: SchemaPath = []): string | undefined {
  if (path.length > DEPTH_MAX) return 'the schema is too deep';
  const own = rule(schema, path);
  if (own !== undefined) return own;
  for (const [inner, at] of listInnerSchemas(schema, path)) {
    const fault = findSchemaFault(inner, rule, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns a fault of the kind that every validator of JSON Schema 2020-12 reports. */
export const metaschema: SchemaRule = (schema) => {
  const { type, properties, required, items, enum: literals, exclusiveMinimum, exclusiveMaximum } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.every((name) => typeof name === 'string' && typeNames.has(name))) {
    return `${JSON.stringify(type)} is not valid under any of the given schemas.`;
  }
  if (properties !== undefined && !isObject(properties))
    return `${JSON.stringify(properties)} is not of type 'object'.`;
  for (const property of Object.values(properties ?? {})) {
    if (!isObject(property) && typeof property !== 'boolean') {
      return `${JSON.stringify(property)} is not of type 'object', 'boolean'.`;
    }
  }
  if (required !== undefined && !isTextList(required)) return `${JSON.stringify(required)} is not of type 'array'.`;
  if (items !== undefined && !isObject(items) && typeof items !== 'boolean') {
    return `${JSON.stringify(items)} is not of type 'object', 'boolean'.`;
  }
  if (literals !== undefined && !Array.isArray(literals)) return `${JSON.stringify(literals)} is not of type 'array'.`;
  for (const list of [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems]) {
    if (list !== undefined && !(Array.isArray(list) && list.length > 0)) return `${JSON.stringify(list)} is too short.`;
  }
  for (const bound of [exclusiveMinimum, exclusiveMaximum]) {
    if (bound !== undefined && typeof bound !== 'number') return `${JSON.stringify(bound)} is not of type 'number'.`;
  }
  return undefined;
};

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function listInnerSchemas(schema: Json, path: SchemaPath): [Json, SchemaPath][] {
  const found: [unknown, SchemaPath][] = [];
  for (const keyword of ['properties', '$defs', 'definitions']) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [name, inner] of Object.entries(map)) found.push([inner, [...path, keyword, name]]);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [place, inner] of list.entries()) found.push([inner, [...path, keyword, String(place)]]);
  }
  for (const keyword of ['items', 'additionalProperties', 'not']) found.push([schema[keyword], [...path, keyword]]);
  return found.filter((each): each is [Json, SchemaPath] => isObject(each[0]));
}
