import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { fixTuple } from './valid-schema.js';

/** The part of JSON Schema that a vendor supports. */
export interface SchemaDialect {
  /** Keywords that are sent; others become part of the description. */
  keywords: ReadonlySet<string>;
  /** String formats that are sent; absent: all. */
  formats?: ReadonlySet<string>;
  /** Whether the vendor supports a keyword's value; called for supported keywords only. */
  takes?(keyword: string, value: unknown, schema: JsonObject): boolean;
}

const SCHEMA_MAPS = new Set(['properties', '$defs']);
const SCHEMA_LISTS = new Set(['anyOf', 'allOf', 'prefixItems']);

/**
 * Converts a schema to a vendor's dialect. Constraints without a keyword there become a hint to the model in the description,
 * so that none is silently lost. `oneOf` becomes `anyOf`, `const` a one-valued `enum`, `definitions` `$defs`, a list of
 * item schemas `prefixItems`.
 */
export function toSchemaDialect(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  const { $schema: _names, ...common } = withCommonKeywords(schema);
  const kept: JsonObject = {};
  const hints: string[] = [];
  for (const [keyword, value] of Object.entries(common)) {
    if (keyword === '$ref' && dialect.keywords.has('$ref')) kept.$ref = rootedAtDefs(value);
    else if (isTaken(keyword, value, common, dialect)) kept[keyword] = convert(keyword, value, dialect);
    else if (!isWithoutMeaning(keyword, value)) hints.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if ('$ref' in kept) return withoutSiblings(kept);
  if (hints.length > 0) kept.description = describe(kept.description, hints);
  return kept;
}

function withCommonKeywords({ oneOf, const: only, definitions, ...schema }: JsonObject): JsonObject {
  if (Array.isArray(oneOf)) schema.anyOf = Array.isArray(schema.anyOf) ? schema.anyOf : oneOf;
  if (only !== undefined) schema.enum = [only];
  fixTuple(schema);
  if (isJsonObject(definitions)) schema.$defs = { ...definitions, ...(isJsonObject(schema.$defs) ? schema.$defs : {}) };
  return schema;
}

function isTaken(keyword: string, value: unknown, schema: JsonObject, dialect: SchemaDialect): boolean {
  if (!dialect.keywords.has(keyword)) return false;
  if (keyword === 'format' && dialect.formats && !dialect.formats.has(String(value))) return false;
  return dialect.takes?.(keyword, value, schema) ?? true;
}

function convert(keyword: string, value: unknown, dialect: SchemaDialect): unknown {
  if (SCHEMA_MAPS.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convertAny(inner, dialect)]));
  }
  if (SCHEMA_LISTS.has(keyword) && Array.isArray(value)) return value.map((inner) => convertAny(inner, dialect));
  return keyword === 'items' || keyword === 'additionalProperties' ? convertAny(value, dialect) : value;
}

function convertAny(schema: unknown, dialect: SchemaDialect): unknown {
  return isJsonObject(schema) ? toSchemaDialect(schema, dialect) : schema;
}

function rootedAtDefs(ref: unknown): unknown {
  return typeof ref === 'string' ? ref.replace(/^#\/definitions\//, '#/$defs/') : ref;
}

/** Removes the siblings of a reference: vendors accept only definitions there. */
function withoutSiblings({ $ref, $defs }: JsonObject): JsonObject {
  return $defs === undefined ? { $ref } : { $ref, $defs };
}

function isWithoutMeaning(keyword: string, value: unknown): boolean {
  return keyword.startsWith('$') || (keyword === 'additionalProperties' && value === true);
}

function describe(description: unknown, hints: string[]): string {
  const hint = `{${hints.join(', ')}}`;
  return typeof description === 'string' && description !== '' ? `${description}\n\n${hint}` : hint;
}
