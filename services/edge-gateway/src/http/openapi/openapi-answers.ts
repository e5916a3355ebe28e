import {
  anthropicErrorSchema,
  apiErrorSchema,
  googleErrorSchema,
  imagesErrorSchema,
  openAiErrorSchema,
  simpleErrorSchema,
} from '@tollgate/api/values';
import { type ErrorCode, errorCatalog } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import { RATE_LIMIT_TEXT } from '../../limits/rate-limit.js';
import type { Answer, RouteDoc } from '../exchange/route-doc.js';
import { refusesUnknownQuery } from '../exchange/validate.js';
import type { ErrorShape } from '../paths.js';
import type { Schema } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

const errorSchemas = {
  ApiError: apiErrorSchema,
  SimpleError: simpleErrorSchema,
  ImagesError: imagesErrorSchema,
  OpenAiError: openAiErrorSchema,
  AnthropicError: anthropicErrorSchema,
  GoogleError: googleErrorSchema,
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request does not validate',
  401: 'Credentials are missing or invalid',
  402: 'A billing limit refuses the request; `code` names it',
  403: 'The credential is valid, but not for this',
  404: 'Not found, or not yours',
  409: 'The request conflicts with what is there',
  410: 'Gone',
  413: 'The request body is too large',
  422: 'Understood, but cannot be done',
  429: 'Rate limit exceeded',
  500: 'A fault of the service, or an error of a provider',
  503: 'Overloaded (with Retry-After), timed out, or a part of the service is unavailable',
};

/** `vendors`: the shape depends on the client, because both vendors' libraries call the endpoint. */
type DocShape = ErrorShape | 'vendors';

const DROPPED_PARAMETERS = 'X-Service-Dropped-Parameters';

/** Answers that operations refer to. */
export type AnswerComponents = Record<string, JsonObject>;

export const headerComponents: Readonly<Record<string, JsonObject>> = {
  'X-Service-Request-Id': header('The id of the request, as the client sent it, or a new id', 'string'),
  'RateLimit-Limit': header('Requests per minute', 'integer'),
  'RateLimit-Remaining': header('Requests that are left now', 'integer'),
  'RateLimit-Reset': header('Seconds until the whole limit is available again', 'integer'),
  'Retry-After': header('Seconds after which a repeat may succeed', 'integer'),
  [DROPPED_PARAMETERS]: header(
    'Parameters that the provider lacks and did not receive, by a setting of the project, and tools of MCP servers that it ' +
      'cannot offer (`tools.NAME`), separated by commas',
    'string',
  ),
  'Idempotent-Replayed': header('`true` on a repeat that gets the answer of the first request', 'string'),
};

function header(description: string, type: string): JsonObject {
  return { description, schema: { type } };
}

const EVERYWHERE = ['X-Service-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/**
 * Returns all answers of a route: the success, its other forms, and every refusal in the shape of the route. `name` names
 * the success's schema if it has no name of its own.
 */
export function describeAnswers(
  route: RouteDoc,
  name: string,
  components: AnswerComponents,
  writer: SchemaWriter,
): JsonObject {
  const { success, alsoAnswers = [] } = route;
  const answers: JsonObject = {};
  for (const status of refusalStatuses(route)) answers[status] = refusal(toDocShape(route), status, components, writer);
  for (const answer of [success, ...alsoAnswers]) {
    const { status } = answer;
    const form = status < 300 ? `${name}Result` : `${name}Refusal`;
    const known = resolved(answers[status], components);
    answers[status] = merged(known, status, describeContent(answer, form, writer), describeHeaders(route, status));
  }
  return answers;
}

function describeContent(answer: Answer, name: string, writer: SchemaWriter): Record<string, JsonObject> | undefined {
  const { schema, contentType } = answer;
  const type = contentType ?? (schema === undefined ? undefined : 'application/json');
  if (type === undefined) return undefined;
  if (/^(audio|image)\//.test(type)) return { [type]: { schema: BINARY } };
  return { [type]: { schema: schema ? writer.write(schema, 'output', name) : { type: 'string' } } };
}

const BINARY: Schema = { type: 'string', format: 'binary' };

/**
 * Returns the statuses of a route's refusals. Address, credential, named customer, body and limits are checked before the
 * handler, so their statuses follow from the route. The handler's own are in the route's `refusals`.
 */
export function refusalStatuses(route: RouteDoc): number[] {
  const { method, path, auth } = route;
  const sendsBody = method !== 'GET';
  const namesOne = path.includes('/:');
  // X-Service-Customer-Id may be empty (400) or name no customer (404).
  const namesCustomer = auth !== 'none' && auth.includes('secret_key');
  const statuses = new Set([429, 500, 503, ...(route.refusals ?? [])]);
  if (sendsBody || namesOne || namesCustomer || route.query || refusesUnknownQuery(route)) statuses.add(400);
  if (auth !== 'none') statuses.add(401).add(403);
  if (namesOne || namesCustomer) statuses.add(404);
  if (route.idempotent) statuses.add(409);
  if (sendsBody) statuses.add(413);
  return [...statuses].sort((a, b) => a - b);
}

function toDocShape({ errorShape = 'native' }: RouteDoc): DocShape {
  return typeof errorShape === 'string' ? errorShape : 'vendors';
}

function refusal(shape: DocShape, status: number, components: AnswerComponents, writer: SchemaWriter): JsonObject {
  const name = `${shape}${status}`;
  components[name] ??= {
    description: describeRefusal(shape, status),
    headers: refs(status === 429 || status === 503 ? [...EVERYWHERE, 'Retry-After'] : EVERYWHERE),
    content: refusalContent(shape, status, writer),
  };
  return { $ref: `#/components/responses/${name}` };
}

/** Names the codes of the status, which clients branch on. */
function describeRefusal(shape: DocShape, status: number): string {
  const description = descriptions[status] ?? 'Refused';
  const codes = shape === 'native' && status !== 429 ? listCodes(status) : [];
  return codes.length === 0 ? description : `${description}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}`;
}

/** Codes in upper case are those of native errors. A timeout of a provider has the HTTP status 503. */
function listCodes(status: number): ErrorCode[] {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  return codes.filter((code) => {
    const own: number = errorCatalog[code].status;
    return code === code.toUpperCase() && (own === 504 ? 503 : own) === status;
  });
}

function refusalContent(shape: DocShape, status: number, writer: SchemaWriter): JsonObject {
  const isVendors = ['openai', 'anthropic', 'google', 'vendors'].includes(shape);
  if (status === 429 && !isVendors) return { 'text/plain': { schema: { type: 'string' }, example: RATE_LIMIT_TEXT } };
  return { 'application/json': { schema: refusalSchema(shape, status, writer) } };
}

function refusalSchema(shape: DocShape, status: number, writer: SchemaWriter): Schema {
  const ref = (name: keyof typeof errorSchemas): Schema => writer.write(errorSchemas[name], 'output');
  if (shape === 'simple') return ref('SimpleError');
  if (shape === 'openai') return ref('OpenAiError');
  if (shape === 'anthropic') return ref('AnthropicError');
  if (shape === 'google') return ref('GoogleError');
  if (shape === 'vendors') return { anyOf: [ref('OpenAiError'), ref('AnthropicError')] };
  return ref(shape === 'images' && status === 400 ? 'ImagesError' : 'ApiError');
}

function describeHeaders({ idempotent, hasOptionalParameters }: RouteDoc, status: number): JsonObject {
  if (status >= 300) return refs(EVERYWHERE);
  return refs([
    ...EVERYWHERE,
    ...(idempotent ? ['Idempotent-Replayed'] : []),
    ...(hasOptionalParameters ? [DROPPED_PARAMETERS] : []),
  ]);
}

function refs(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function resolved(answer: unknown, components: AnswerComponents): JsonObject | undefined {
  const { $ref } = (answer ?? {}) as { $ref?: string };
  return ($ref === undefined ? answer : components[$ref.split('/').at(-1)!]) as JsonObject | undefined;
}

/** Adds a form to an answer: under a content type of its own, or as another schema of the same type. */
function merged(
  known: JsonObject | undefined,
  status: number,
  content: Record<string, JsonObject> = {},
  headers: JsonObject,
): JsonObject {
  const contents = { ...(known?.content as Record<string, JsonObject> | undefined) };
  for (const [type, form] of Object.entries(content)) {
    const other = contents[type]?.schema;
    const isNew = other === undefined || JSON.stringify(other) === JSON.stringify(form.schema);
    contents[type] = isNew ? form : { schema: { anyOf: [other, form.schema] } };
  }
  const description = known?.description ?? (status < 300 ? 'Success' : (descriptions[status] ?? 'See elsewhere'));
  return {
    description,
    headers: known?.headers ?? headers,
    ...(Object.keys(contents).length > 0 && { content: contents }),
  };
}
