import { refName, resolveSchema, type Schema, type Schemas } from '../schemas/schema.js';
import { fieldExamples } from './field-examples.js';
import { schemaExamples } from './schema-examples.js';

/** Beyond this, lists are empty and optional members are left out. */
const DEPTH_MAX = 6;

/** Makes an example of a schema: a written one, or one from its members' names and types. */
export function buildExample(schema: Schema, schemas: Schemas, isRequest: boolean): unknown {
  return build({ schema, name: '', depth: 0 }, schemas, isRequest);
}

interface Place {
  schema: Schema;
  /** Name of the member. */
  name: string;
  depth: number;
}

function build({ schema: given, name, depth }: Place, schemas: Schemas, isRequest: boolean): unknown {
  const component = refName(given);
  if (component !== undefined && component in schemaExamples) return schemaExamples[component];
  const schema = resolveSchema(given, schemas);
  if (schema.const !== undefined) return schema.const;
  const known = fieldExamples[name];
  if (known !== undefined && fits(known, schema)) return known;
  if (schema.enum) return schema.enum[0];
  const [form] = schema.oneOf ?? schema.anyOf ?? [];
  if (form) return build({ schema: form, name, depth }, schemas, isRequest);
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => build({ schema: part, name, depth }, schemas, isRequest));
    return Object.assign({}, ...(parts as object[]));
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return buildObject(schema, depth, schemas, isRequest);
    case 'array':
      if (depth > DEPTH_MAX && !schema.minItems) return [];
      return [
        build({ schema: schema.items ?? {}, name: name.replace(/s$/, ''), depth: depth + 1 }, schemas, isRequest),
      ];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return schema.default ?? false;
    case 'string':
      return buildText(schema, name);
    default:
      return {};
  }
}

function buildObject(schema: Schema, depth: number, schemas: Schemas, isRequest: boolean): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (!isRequest && depth <= DEPTH_MAX),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, build({ schema: member, name, depth: depth + 1 }, schemas, isRequest)]),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40',
  'date-time': '2026-11-22T09:30:00.000Z',
  date: '2026-11-22',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

function buildText({ format, pattern, minLength = 0, maxLength }: Schema, name: string): string {
  const formatted = format === undefined ? undefined : FORMATS[format];
  if (formatted !== undefined) return formatted;
  if (pattern?.includes('0-9a-f')) return '9f'.repeat(32);
  const text = name === '' ? 'text' : name.replaceAll('_', '-');
  return text.padEnd(minLength, '-').slice(0, typeof maxLength === 'number' ? maxLength : undefined);
}

/** Whether an example by a member's name has the member's type and is one of its values. */
function fits(value: unknown, { type, enum: values, format }: Schema): boolean {
  if (values) return values.includes(value);
  if (format !== undefined && typeof value === 'string' && format in FORMATS) return false;
  const types = Array.isArray(type) ? type : [type];
  if (typeof value === 'number') return types.includes('integer') || types.includes('number');
  return types.includes(typeof value);
}
