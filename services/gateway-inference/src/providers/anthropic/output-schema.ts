import type { SchemaDialect } from '../convert/schema-dialect.js';

/**
 * What structured outputs take of JSON Schema; a constraint outside it is answered with 400.
 *
 * Source: platform.claude.com/docs/en/build-with-claude/structured-outputs (JSON Schema limitations) and
 * `transformJSONSchema` of `@anthropic-ai/sdk` 1.11.
 */
export const outputSchemaDialect: SchemaDialect = {
  keywords: new Set([
    '$defs',
    '$ref',
    'additionalProperties',
    'allOf',
    'anyOf',
    'description',
    'enum',
    'format',
    'items',
    'minItems',
    'properties',
    'required',
    'title',
    'type',
  ]),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']),
  takes(keyword, value, schema) {
    switch (keyword) {
      case 'minItems':
        return value === 0 || value === 1;
      case 'enum':
        return isLiteralList(value);
      case 'type':
        // Literals stand for themselves.
        return !isLiteralList(schema.enum);
      default:
        return true;
    }
  },
};

function isLiteralList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item === null || typeof item !== 'object');
}
