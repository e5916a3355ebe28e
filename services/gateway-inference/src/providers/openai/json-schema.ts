import type { OutputFormat, ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { type SchemaDialect, toSchemaDialect } from '../convert/schema-dialect.js';

/** The common part of output formats in chat completions and responses. */
export interface JsonSchemaFormat {
  name: string;
  description?: string;
  schema: JsonObject;
  strict: boolean;
}

const shared = [
  '$defs',
  '$ref',
  'additionalProperties',
  'anyOf',
  'description',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'items',
  'maxItems',
  'maximum',
  'minItems',
  'minimum',
  'pattern',
  'properties',
  'required',
  'title',
  'type',
];

/**
 * The part of JSON Schema that strict mode supports at OpenAI and compatible servers; they answer 400 to other keywords.
 *
 * Source: developers.openai.com/api/docs/guides/structured-outputs (supported schemas); `toStrictJsonSchema` of the
 * `openai` client library 6.49.
 */
const openaiDialect: SchemaDialect = {
  keywords: new Set([...shared, 'multipleOf']),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
  takes,
};

/** Source: docs.x.ai/developers/model-capabilities/text/structured-outputs (JSON Schema support). */
const xaiDialect: SchemaDialect = {
  keywords: new Set([...shared, 'allOf', 'maxLength', 'maxProperties', 'minLength', 'minProperties', 'prefixItems']),
  formats: new Set(['date', 'time', 'date-time', 'email', 'uuid', 'ipv4', 'ipv6', 'uri']),
  takes,
};

/** Converts the output format. A schema that is not strict is sent unchanged. */
export function toJsonSchemaFormat(
  { name, description, schema, strict = true }: NonNullable<OutputFormat['json_schema']>,
  provider: ProviderId,
): JsonSchemaFormat {
  const dialect = provider === 'xai' ? xaiDialect : openaiDialect;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    schema: strict ? toSchemaDialect(schema, dialect) : schema,
    strict,
  };
}

/** Returns the schema of a function's arguments: the vendor requires a list of properties, even if it is empty. */
export function toParameters(parameters: JsonObject | undefined): JsonObject {
  return { properties: {}, ...toArgumentsSchema(parameters) };
}

function takes(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'enum':
    case 'anyOf':
      return Array.isArray(value) && value.length > 0;
    case 'items':
      return !Array.isArray(value);
    case 'pattern':
      return typeof value === 'string' && !HAS_CONTEXT.test(value);
    default:
      return true;
  }
}

/** Matches look-around, back references, word boundaries and property escapes, which a grammar cannot express. */
const HAS_CONTEXT = /\(\?(?!:)|\\(?:[1-9bBpPk])/;
