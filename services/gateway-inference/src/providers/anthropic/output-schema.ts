import type { SchemaDialect } from '../convert/schema-dialect.js';

/**
 * The part of JSON Schema that structured outputs support; the vendor answers 400 to other constraints.
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
        // Literals imply their type.
        return !isLiteralList(schema.enum);
      default:
        return true;
    }
  },
};

function isLiteralList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item === null || typeof item !== 'object');
}
