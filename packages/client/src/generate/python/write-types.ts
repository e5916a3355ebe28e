import { lastSegment, type OpenApiDocument, type Schema } from '../document.js';

const HEADER = `"""Types of the API. Generated from the OpenAPI document. Do not edit: pnpm --filter @tollgate/client run generate-core."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict, final
`;

/** Names of the header, which no schema may have. */
const TAKEN = new Set(['Any', 'Literal', 'NotRequired', 'Required', 'TypeAlias', 'TypedDict', 'final']);

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Writes one type for each schema, and the union of the webhook events. */
export function writePythonTypes(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return [HEADER, ...schemas.map(([name, schema]) => writeType(name, schema)), writeWebhookEvent(document)].join('\n');
}

/** Returns the type as an annotation. `prefix` qualifies the names of schemas. */
export function toAnnotation(schema: Schema | undefined, prefix = ''): string {
  if (schema === undefined) return 'Any';
  if (schema.$ref !== undefined) return `${prefix}${lastSegment(schema.$ref)}`;
  if (schema.const !== undefined) return `Literal[${toLiteral(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(toLiteral).join(', ')}]`;
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return joinUnion(members.map((each) => toAnnotation(each, prefix)));
  if (Array.isArray(schema.type)) {
    return joinUnion(schema.type.map((type) => toAnnotation({ ...schema, type }, prefix)));
  }
  return toPlainAnnotation(schema, prefix);
}

/** Names that Python reserves get an underscore. */
export function toPythonName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function toPlainAnnotation({ type, items, additionalProperties, format }: Schema, prefix: string): string {
  switch (type) {
    case 'string':
      return format === 'binary' ? 'bytes' : 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${toAnnotation(items, prefix)}]`;
    case 'object': {
      const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      return `dict[str, ${toAnnotation(values, prefix)}]`;
    }
    default:
      return 'Any';
  }
}

function writeType(name: string, schema: Schema): string {
  if (TAKEN.has(name)) throw new Error(`a schema must not be named ${name}: the types of Python have that name`);
  const properties = Object.entries(schema.properties ?? {});
  if (schema.type !== 'object' || properties.length === 0) {
    return `\n${name}: TypeAlias = ${toText(toAnnotation(schema))}\n`;
  }
  const required = new Set(schema.required);
  const isClass = properties.every(([property]) => /^[A-Za-z_]\w*$/.test(property) && !KEYWORDS.has(property));
  if (!isClass) {
    // A class cannot have members of these names.
    const members = properties.map(([property, each]) => {
      const qualifier = required.has(property) ? 'Required' : 'NotRequired';
      return `        ${toText(property)}: ${toText(`${qualifier}[${toAnnotation(each)}]`)},\n`;
    });
    return `\n${name} = TypedDict(\n    ${toText(name)},\n    {\n${members.join('')}    },\n)\n`;
  }
  const members = properties.map(([property, each]) => {
    const annotation = toAnnotation(each);
    return `    ${property}: ${required.has(property) ? annotation : `NotRequired[${annotation}]`}\n`;
  });
  // Type checkers narrow a union by `"delta" in event` only if no subclass could have the key.
  return `\n@final\nclass ${name}(TypedDict):\n${members.join('')}`;
}

function writeWebhookEvent({ webhooks = {} }: OpenApiDocument): string {
  const names = Object.values(webhooks).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody }) => {
      const reference = requestBody?.content['application/json']?.schema?.$ref;
      return reference === undefined ? [] : [lastSegment(reference)];
    }),
  );
  return `\nWebhookEvent: TypeAlias = ${toText(joinUnion(names.sort()))}\n`;
}

function joinUnion(types: string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? 'Any' : distinct.join(' | ');
}

function toLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? toText(value, "'") : String(value);
}

/** Text in quotes, with Python's escapes, which are those of JSON. */
export function toText(value: string, quote: '"' | "'" = '"'): string {
  const inner = JSON.stringify(value).slice(1, -1);
  return quote === '"' ? `"${inner}"` : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
