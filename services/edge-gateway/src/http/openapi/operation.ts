import type { JsonObject } from '@tollgate/runtime';
import { requestJsonBounds } from '@tollgate/runtime/json-bounds';
import type { Credential } from '../../auth/authenticate.js';
import { BODY_BYTES_MAX, chooseBodyClass } from '../exchange/body/read-body.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { type AnswerComponents, describeAnswers } from './openapi-answers.js';
import { describeParameters, namesCustomer } from './parameters.js';
import { resolveSchema, type Schema, toPascalCase } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

const securityOf: Record<Credential, string> = {
  secret_key: 'secretKey',
  publishable_key: 'publishableKey',
  customer: 'customerToken',
  owner: 'accessToken',
};

export function describeOperation(
  route: RouteDoc,
  id: string,
  answers: AnswerComponents,
  writer: SchemaWriter,
): JsonObject {
  const name = toPascalCase(id);
  const parameters = describeParameters(route, writer);
  return {
    tags: [route.tag],
    summary: route.summary,
    description: describe(route),
    operationId: id,
    security: route.auth === 'none' ? [] : route.auth.map((credential) => ({ [securityOf[credential]]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(route, name, writer),
    responses: describeAnswers(route, name, answers, writer),
  };
}

const credentialNames: Record<Credential, string> = {
  secret_key: 'a secret key',
  publishable_key: 'a publishable key',
  customer: 'a customer token',
  owner: 'an access token of the owner',
};

/** Returns the route's own sentences, and those that follow from the route. */
function describe(route: RouteDoc): string {
  const { auth, description, ownerActsAsKey, idempotent } = route;
  const names = auth === 'none' ? [] : auth.map((credential) => credentialNames[credential]);
  const sentences = [
    description ?? `${route.summary}.`,
    names.length === 0 ? 'Needs no credential.' : `Needs ${names.join(', or ')}.`,
    ownerActsAsKey && 'The owner’s session acts in the project of the path, as its secret key would.',
    namesCustomer(route) && !ownerActsAsKey && 'With `X-Service-Customer-Id`, a secret key acts for that customer.',
    isPage(route) && 'Returns one page; `next_cursor` is absent on the last one.',
    idempotent && 'A repeat with the same `Idempotency-Key` has no second effect.',
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function isPage({ query }: RouteDoc): boolean {
  const shape = (query as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
  return 'limit' in shape && 'offset' in shape;
}

/** Describes the body of a request. `name` names its schema if it has no name of its own. */
function describeBody(route: RouteDoc, name: string, writer: SchemaWriter): JsonObject {
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

const VERBS = { GET: 'get', POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' } as const;

/** Returns the route's operation id, or one made from its address: `GET /things/:id/parts` is `listThingParts`. */
export function toOperationId({ operationId, method, path }: RouteDoc): string {
  if (operationId) return operationId;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'v1');
  const last = segments.at(-1) ?? 'root';
  const isOne = last.startsWith(':');
  const words = segments.flatMap((segment, at) => {
    if (segment.startsWith(':')) return [];
    const isNamed = segments[at + 1]?.startsWith(':') ?? false;
    return [toPascalCase(isNamed ? segment.replace(/s$/, '') : segment)];
  });
  const isList = method === 'GET' && !isOne && last.endsWith('s');
  return `${isList ? 'list' : VERBS[method]}${words.join('')}`;
}

/** Returns an id that no earlier operation has. */
export function toUniqueId(id: string, taken: Set<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count++) free = `${id}${count}`;
  taken.add(free);
  return free;
}
