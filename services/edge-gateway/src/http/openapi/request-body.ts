import { BODY_BYTES_MAX, BODY_MEMBERS_MAX, BODY_NAMES_MAX, chooseBodyClass } from '../exchange/body/body-limits.js';
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
        ? { 'multipart/form-data': { schema: withFile(resolveSchema(schema, writer.components)) } }
        : { 'application/json': { schema } },
    },
  };
}

function describeLimits(route: RouteDoc): string {
  const bytes = `At most ${BODY_BYTES_MAX[chooseBodyClass(route)]} bytes`;
  if (route.takesForm) return `${bytes}.`;
  return `${bytes}, ${BODY_MEMBERS_MAX} members and elements, and ${BODY_NAMES_MAX} members of objects.`;
}

/** Marks a schema that leaves validation to another service as an object: every JSON body is one. */
function objectSchema(schema: Schema): Schema {
  const isOpen = !['type', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  return isOpen ? { type: 'object', ...schema } : schema;
}

/** Further fields are passed on; generators do not support them in forms. */
function withFile({ additionalProperties: _, ...fields }: Schema): Schema {
  const file = { type: 'string', format: 'binary', description: 'The recording' };
  return { ...fields, properties: { ...fields.properties, file }, required: [...(fields.required ?? []), 'file'] };
}
