import { requestJsonBounds } from '@tollgate/runtime/json-bounds';
import { BODY_BYTES_MAX, chooseBodyClass } from '../exchange/body/read-body.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { resolveSchema, type Schema } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

type Json = Record<string, unknown>;

/** Describes the body of a request. `name` names its schema if it has no name of its own. */
export function describeBody(route: RouteDoc, name: string, writer: SchemaWriter): Json {
  if (!route.body) return {};
  const schema = objectSchema(writer.write(route.body, 'input', `${name}Request`));
  return {
    requestBody: {
      description: describeLimits(route),
      // An empty body is parsed as {}.
      required: !route.body.safeParse({}).success,
      content: route.takesForm
        ? { 'multipart/form-data': { schema: withFiles(resolveSchema(schema, writer.components), route) } }
        : { 'application/json': { schema } },
    },
  };
}

function describeLimits(route: RouteDoc): string {
  const bytes = `At most ${route.streamsFile?.bytesMax ?? BODY_BYTES_MAX[chooseBodyClass(route)]} bytes`;
  if (route.takesForm) return `${bytes}.`;
  const { members, names } = requestJsonBounds;
  return `${bytes}, ${members} members and elements, and ${names} members of objects.`;
}

/** Marks a schema that leaves validation to another service as an object: every JSON body is one. */
function objectSchema(schema: Schema): Schema {
  const isOpen = !['type', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  return isOpen ? { type: 'object', ...schema } : schema;
}

const RECORDING = { file: 'The recording' };

/** Further fields are passed on; generators do not support them in forms. */
function withFiles({ additionalProperties: _, ...fields }: Schema, { formFiles }: RouteDoc): Schema {
  const described = formFiles?.fields ?? RECORDING;
  const files: Record<string, Schema> = {};
  for (const [name, description] of Object.entries(described)) {
    files[name] = { type: 'string', format: 'binary', description };
  }
  const [first] = Object.keys(described);
  return { ...fields, properties: { ...fields.properties, ...files }, required: [...(fields.required ?? []), first!] };
}
