// The operations of the OpenAPI document, and requests to them.
import type { ApiClient, ApiResponse, Json } from '@tollgate/testkit';
import { NOBODY } from './nobody.js';

/** Names of the document's security schemes. */
export const CREDENTIAL_KINDS = ['secretKey', 'publishableKey', 'customerToken', 'accessToken'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** Owner of a resource: no other tenant may access it. Public resources have no owner. */
export type Owner = 'project' | 'customer' | 'public';

/** Values of path parameters by `<segment before it>.<name>`, else by name. */
export type PathValues = Readonly<Record<string, { value: string; of: Owner }>>;

export interface Operation {
  /** `GET /api/v1/customers/{id}`: the key of every table about operations. */
  name: string;
  method: string;
  path: string;
  /** Kinds of credential that it accepts; empty if it needs none. */
  accepts: CredentialKind[];
  /** Parameters by name. Schemas contain no references. */
  pathSchemas: Record<string, Json>;
  querySchemas: Record<string, Json>;
  requiredQuery: string[];
  /** Undefined if it accepts no JSON. */
  bodySchema: Json | undefined;
  takesForm: boolean;
  takesIdempotencyKey: boolean;
  responses: Record<string, Json>;
}

export function listOperations(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  );
}

function toOperation(document: Json, path: string, method: string, operation: Json): Operation {
  const parameters: Json[] = (operation.parameters ?? []).map((one: Json) => resolve(document, one));
  const schemasIn = (where: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === where).map(({ name, schema }) => [name, expand(document, schema)]),
    );
  const content = operation.requestBody?.content ?? {};
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    accepts: operation.security.flatMap((entry: object) => Object.keys(entry)),
    pathSchemas: schemasIn('path'),
    querySchemas: schemasIn('query'),
    requiredQuery: parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name),
    bodySchema: content['application/json'] && expand(document, content['application/json'].schema),
    takesForm: content['multipart/form-data'] !== undefined,
    takesIdempotencyKey: 'Idempotency-Key' in schemasIn('header'),
    responses: Object.fromEntries(
      Object.entries<Json>(operation.responses).map(([status, answer]) => [status, resolve(document, answer)]),
    ),
  };
}

/** Resolves a `$ref` of the document. */
export function resolve(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const target = value.$ref
    .split('/')
    .slice(1)
    .reduce((at: Json, part: string) => at[part], document);
  return resolve(document, target);
}

/** Returns a copy in which every reference is replaced by its target; a schema within itself may be any value. */
function expand(document: Json, value: Json, within: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => expand(document, item, within));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    return within.includes(value.$ref) ? {} : expand(document, resolve(document, value), [...within, value.$ref]);
  }
  const entries = Object.entries(value).filter(([name]) => name !== 'discriminator');
  return Object.fromEntries(entries.map(([name, member]) => [name, expand(document, member, within)]));
}

/** Returns the secret-key operation whose twin for owners' sessions this is; returns other names unchanged. */
export function keyOperation(name: string): string {
  return name.replace('/projects/{id}/', '/').replace(/\b(\w+)s\/\{\1_id\}/, '$1s/{id}');
}

/**
 * Returns the owners of the resources that an operation's path names.
 *
 * @throws Error naming a parameter without a value: a new kind of resource has to be added to the tenants
 */
export function pathOwners(operation: Operation, values: PathValues): Set<Owner> {
  return new Set(pathEntries(operation, values).map(({ of }) => of));
}

/** Returns the path with its parameters filled in. @throws Error like `pathOwners` */
export function buildPath(operation: Operation, values: PathValues): string {
  return pathEntries(operation, values).reduce(
    (path, { name, value }) => path.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  );
}

function pathEntries({ name: operation, path }: Operation, values: PathValues) {
  const segments = path.split('/');
  return segments.flatMap((segment, at) => {
    // A method may follow in the same segment, as in `{model}:countTokens`.
    const [, name] = /^\{(\w+)\}/.exec(segment) ?? [];
    if (name === undefined) return [];
    const known = values[`${segments[at - 1]}.${name}`] ?? values[name] ?? values[`${segments[at - 1]}.id`];
    if (!known) throw new Error(`${operation}: add a ${segments[at - 1]}.${name} to makeTenant`);
    return [{ name, ...known }];
  });
}

/** Calls an operation on the resources in `values`, with a body (if it accepts one) and its required query. */
export function ask(
  api: ApiClient,
  operation: Operation,
  values: PathValues,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const { method, requiredQuery, querySchemas } = operation;
  const query = requiredQuery.map((name): [string, string] => [name, String(buildSample(querySchemas[name]))]);
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const url = `${buildPath(operation, values)}${search}`;
  const body = method === 'GET' || method === 'DELETE' ? undefined : (options.body ?? {});
  return api.at('/').send(method, url, body, options.headers);
}

/** Returns a minimal value for a schema. Ignores patterns. */
export function buildSample(schema: Json): Json {
  if (schema === undefined) return {};
  const { anyOf, oneOf, properties = {}, required = [] } = schema;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf ?? oneOf) return buildSample((anyOf ?? oneOf)[0]);
  if (schema.format === 'uuid') return NOBODY;
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name: string) => [name, buildSample(properties[name])]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => buildSample(schema.items));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return false;
    case 'string':
      return 'x'.repeat(Math.max(schema.minLength ?? 0, 1));
    default:
      return {};
  }
}
