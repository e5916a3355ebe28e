import { z } from 'zod';
import { BODY_BYTES_MAX, BODY_MEMBERS_MAX, BODY_NAMES_MAX, chooseBodyClass } from '../exchange/body/body-limits.js';
import type { Credential, RouteDoc } from '../exchange/route-doc.js';
import { describeAnswers, type ErrorComponents, errorComponents } from './openapi-answers.js';
import { hostPath } from './route-order.js';

type Json = Record<string, unknown>;

const securityOf: Record<Credential, string> = {
  secret_key: 'secretKey',
  publishable_key: 'publishableKey',
  customer: 'customerToken',
  owner: 'accessToken',
};

/** Returns the OpenAPI 3.1 document of the routes, derived from the schemas that validate them. */
export function openApiDocument(routes: readonly RouteDoc[], serverUrl = '/'): Json {
  const schemas: Json = {};
  const toSchema = schemaWriter(schemas);
  const errors = errorComponents(toSchema);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = hostPath(route.path).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, errors, toSchema) };
  }
  const bearer = (description: string): Json => ({ type: 'http', scheme: 'bearer', description });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: '1',
      description: 'AI model requests, and billing for the customers who make them.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { ...errors.schemas, ...schemas },
      responses: errors.responses,
      securitySchemes: {
        secretKey: bearer('A secret key; also accepted in the header X-Service-Api-Key.'),
        publishableKey: bearer('A publishable key; also accepted in the header X-Service-Api-Key.'),
        customerToken: bearer('A customer token from POST /auth/customer-token.'),
        accessToken: bearer('An access token of an owner’s session.'),
      },
    },
  };
}

type SchemaWriter = (schema: z.ZodType, io: 'input' | 'output') => Json;

function operation(route: RouteDoc, errors: ErrorComponents, toSchema: SchemaWriter): Json {
  const headers = [...(route.idempotent ? [idempotencyKey] : []), ...(route.cacheable ? [cacheChoice] : [])];
  const parameters = [...describeParameters(route, toSchema), ...headers];
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: operationId(route),
    security: route.auth === 'none' ? [] : route.auth.map((credential) => ({ [securityOf[credential]]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        description: bodyLimits(route),
        // An empty body is parsed as {}.
        required: !route.body.safeParse({}).success,
        content: requestContent(route, objectSchema(toSchema(route.body, 'input'))),
      },
    }),
    responses: describeAnswers(route, errors, toSchema),
  };
}

function bodyLimits(route: RouteDoc): string {
  const bytes = `At most ${BODY_BYTES_MAX[chooseBodyClass(route)]} bytes`;
  if (route.takesForm) return `${bytes}.`;
  return `${bytes}, ${BODY_MEMBERS_MAX} members and elements, and ${BODY_NAMES_MAX} members of objects.`;
}

/** Marks a schema that leaves validation to another service as an object: every JSON body is one. */
function objectSchema(schema: Json): Json {
  const isOpen = !['type', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  return isOpen ? { type: 'object', ...schema } : schema;
}

function requestContent({ takesForm }: RouteDoc, schema: Json): Json {
  if (!takesForm) return { 'application/json': { schema } };
  const properties = { ...(schema.properties as Json), file: { type: 'string', format: 'binary' } };
  const required = [...((schema.required as string[] | undefined) ?? []), 'file'];
  return { 'multipart/form-data': { schema: { ...schema, properties, required } } };
}

function describeParameters(route: RouteDoc, toSchema: SchemaWriter): Json[] {
  const names = [...hostPath(route.path).matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const known = route.params ? (toSchema(route.params, 'input').properties as Json | undefined) : undefined;
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    // A path with an empty segment is another path.
    schema: { minLength: 1, ...((known?.[name] as Json | undefined) ?? { type: 'string' }) },
  }));
  const query = route.query ? toSchema(route.query, 'input') : {};
  const required = (query.required as string[] | undefined) ?? [];
  const inQuery = Object.entries((query.properties as Json | undefined) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key ' +
    'is generated to its end, and charged in full, when its client leaves: the repeat gets the answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const cacheChoice: Json = {
  name: 'X-Service-Cache',
  in: 'header',
  required: false,
  description:
    'Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says.',
  schema: { type: 'string', enum: ['0', '1'] },
};

function operationId({ method, path }: RouteDoc): string {
  const words = path.split(/[/.-]/).filter((word) => word !== '');
  const named = words.map((word) => (word.startsWith(':') ? `by_${word.slice(1)}` : word));
  return [method.toLowerCase(), ...named].join('_');
}

/**
 * Moves the definitions of recursive types to the document's components. A schema refers to them from its own root, and
 * inside a document these references would be wrong.
 */
function schemaWriter(components: Json): SchemaWriter {
  let count = 0;
  return (schema, io) => {
    const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
    const renamed = new Map<string, string>();
    for (const name of Object.keys(($defs as Json | undefined) ?? {}))
      renamed.set(`#/$defs/${name}`, `Schema${++count}`);
    const isSelfReferring = JSON.stringify(root).includes('"$ref":"#"');
    if (isSelfReferring) renamed.set('#', `Schema${++count}`);
    const move = (value: unknown): unknown => moveReferences(value, renamed);
    for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
      components[renamed.get(`#/$defs/${name}`)!] = move(definition);
    }
    if (!isSelfReferring) return move(root) as Json;
    components[renamed.get('#')!] = move(root);
    return { $ref: `#/components/schemas/${renamed.get('#')}` };
  };
}

function moveReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => moveReferences(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const target = name === '$ref' && typeof member === 'string' ? renamed.get(member) : undefined;
      return [name, target ? `#/components/schemas/${target}` : moveReferences(member, renamed)];
    }),
  );
}
