import {
  anthropicErrorSchema,
  apiErrorSchema,
  imagesErrorSchema,
  openAiErrorSchema,
  simpleErrorSchema,
} from '@tollgate/api/values';
import type { z } from 'zod';
import type { ErrorShape } from '../answer/error-shape.js';
import { refusesUnknownQuery } from '../exchange/query.js';
import { RATE_LIMIT_TEXT } from '../exchange/rate-limit.js';
import type { RouteDoc } from '../exchange/route-doc.js';

type Json = Record<string, unknown>;
type SchemaWriter = (schema: z.ZodType, io: 'input' | 'output') => Json;

const errorSchemas = {
  ApiError: apiErrorSchema,
  SimpleError: simpleErrorSchema,
  ImagesError: imagesErrorSchema,
  OpenAiError: openAiErrorSchema,
  AnthropicError: anthropicErrorSchema,
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

/** Schemas and answers that operations refer to. */
export interface ErrorComponents {
  schemas: Json;
  responses: Json;
}

export function errorComponents(toSchema: SchemaWriter): ErrorComponents {
  const schemas = Object.entries(errorSchemas).map(([name, schema]) => [name, toSchema(schema, 'output')]);
  return { schemas: Object.fromEntries(schemas), responses: {} };
}

/** Returns all answers of a route: the success, its other forms, and every refusal in the shape of the route. */
export function describeAnswers(route: RouteDoc, components: ErrorComponents, toSchema: SchemaWriter): Json {
  const { success, alsoAnswers = [] } = route;
  const answers: Json = {};
  for (const status of refusalStatuses(route)) answers[status] = refusal(toDocShape(route), status, components);
  for (const { status, contentType, schema } of [success, ...alsoAnswers]) {
    const type = contentType ?? (schema === undefined ? undefined : 'application/json');
    const content = type === undefined ? undefined : { [type]: schema ? { schema: toSchema(schema, 'output') } : {} };
    answers[status] = merged(resolved(answers[status], components), status, content);
  }
  return answers;
}

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

function refusal(shape: DocShape, status: number, components: ErrorComponents): Json {
  const name = `${shape}${status}`;
  components.responses[name] ??= { description: descriptions[status], content: refusalContent(shape, status) };
  return { $ref: `#/components/responses/${name}` };
}

function refusalContent(shape: DocShape, status: number): Json {
  const isVendors = shape === 'openai' || shape === 'anthropic' || shape === 'vendors';
  if (status === 429 && !isVendors) return { 'text/plain': { schema: { type: 'string', const: RATE_LIMIT_TEXT } } };
  return { 'application/json': { schema: refusalSchema(shape, status) } };
}

function refusalSchema(shape: DocShape, status: number): Json {
  const ref = (name: keyof typeof errorSchemas): Json => ({ $ref: `#/components/schemas/${name}` });
  if (shape === 'simple') return ref('SimpleError');
  if (shape === 'openai') return ref('OpenAiError');
  if (shape === 'anthropic') return ref('AnthropicError');
  if (shape === 'vendors') return { anyOf: [ref('OpenAiError'), ref('AnthropicError')] };
  return ref(shape === 'images' && status === 400 ? 'ImagesError' : 'ApiError');
}

function resolved(answer: unknown, { responses }: ErrorComponents): Json | undefined {
  const { $ref } = (answer ?? {}) as { $ref?: string };
  return ($ref === undefined ? answer : responses[$ref.split('/').at(-1)!]) as Json | undefined;
}

/** Adds a form to an answer: under a content type of its own, or as another schema of the same type. */
function merged(known: Json | undefined, status: number, content: Record<string, Json> = {}): Json {
  const contents = { ...(known?.content as Record<string, Json> | undefined) };
  for (const [type, form] of Object.entries(content)) {
    const other = contents[type]?.schema;
    contents[type] = other && form.schema ? { schema: { anyOf: [other, form.schema] } } : form;
  }
  const description = known?.description ?? (status < 300 ? 'Success' : (descriptions[status] ?? 'See elsewhere'));
  return { description, ...(Object.keys(contents).length > 0 && { content: contents }) };
}
