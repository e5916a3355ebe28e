import type { SchemaDialect } from '../convert/schema-dialect.js';

/**
 * The part of JSON Schema that `responseJsonSchema` and `parametersJsonSchema` support.
 *
 * Source: ai.google.dev/gemini-api/docs/structured-output (JSON Schema support) and the notes on `responseJsonSchema` in
 * `@google/genai` 2.32.
 */
export const schemaDialect: SchemaDialect = {
  keywords: new Set([
    '$defs',
    '$ref',
    'additionalProperties',
    'anyOf',
    'description',
    'enum',
    'format',
    'items',
    'maxItems',
    'maximum',
    'minItems',
    'minimum',
    'prefixItems',
    'properties',
    'propertyOrdering',
    'required',
    'title',
    'type',
  ]),
  /** Literals must be strings or numbers. */
  takes(keyword, value) {
    return keyword !== 'enum' || (Array.isArray(value) && value.every(isTextOrNumber));
  },
};

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
