import { isJsonObject } from '@tollgate/runtime/json-object';
import type { McpHeaders } from './mcp-server.js';

/** Shorter values occur in ordinary text. */
const CREDENTIAL_CHARS_MIN = 6;

/** Keywords of JSON Schema whose members have names that the server chose. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords of JSON Schema that only inform the reader. */
const annotations = new Set(['title', 'description', '$comment', 'default', 'examples']);

/** Replaces the values of a server's headers in a text. */
export type Redact = (text: string) => string;

/**
 * Returns the replacement of header values in texts, because a server may echo its request. Covers the token behind a scheme
 * such as `Bearer`, too. Texts are redacted before they are cut: a cut value would no longer be found.
 */
export function redactHeaders(headers: McpHeaders): Redact {
  const values = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  const secrets = [...new Set(values.filter((value) => value.length >= CREDENTIAL_CHARS_MIN))];
  const longestFirst = secrets.sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((shown, secret) => shown.replaceAll(secret, () => '[redacted]'), text);
}

/** Redacts the strings in a JSON value. Keys and numbers stay: a header may be an account number or a plain word. */
export function redactStrings(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact));
  return isJsonObject(value) ? mapValues(value, (member) => redactStrings(member, redact)) : value;
}

/** Redacts the annotations of a JSON Schema. Its names, types and constraints stay: calls depend on them. */
export function redactSchema(schema: unknown, redact: Redact): unknown {
  if (Array.isArray(schema)) return schema.map((item) => redactSchema(item, redact));
  if (!isJsonObject(schema)) return schema;
  return mapValues(schema, (member, keyword) => {
    if (annotations.has(keyword)) return redactStrings(member, redact);
    if (keyword === 'enum' || keyword === 'const') return member;
    if (!namedSchemas.has(keyword) || !isJsonObject(member)) return redactSchema(member, redact);
    return mapValues(member, (named) => redactSchema(named, redact));
  });
}

/** Defines the keys as own properties, `__proto__` too. */
function mapValues(value: Record<string, unknown>, map: (member: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(member, key)]));
}
