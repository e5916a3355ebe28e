// The operations of the OpenAPI document, and requests to them.
import type { ApiClient, ApiResponse, Json } from '@tollgate/testkit';
import { nativeErrorFaults } from '../system/native-error.js';

/** Names of the document's security schemes. */
export const CREDENTIAL_KINDS = ['secretKey', 'publishableKey', 'customerToken', 'accessToken'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface Operation {
  /** `GET /api/v1/customers/{id}`: the key of every table about operations. */
  name: string;
  method: string;
  path: string;
  /** Names of the path's parameters. */
  parameters: string[];
  /** Kinds of credential that it takes; empty = anybody. */
  accepts: CredentialKind[];
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { security }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1])),
      accepts: security.flatMap((entry: object) => Object.keys(entry)),
    })),
  );
}

/**
 * Asks an operation about the resources that `values` names by path parameter, the more telling `project.id` form first.
 *
 * @throws Error naming a parameter that no value was given for: a new kind of resource has to be added to the proof
 */
export function call(
  api: ApiClient,
  { name, method, path, parameters }: Operation,
  values: Record<string, string>,
  body: unknown,
): Promise<ApiResponse> {
  let url = path;
  for (const parameter of parameters) {
    const resource = path.split(`/{${parameter}}`)[0]?.split('/').at(-1);
    const value = values[`${resource}.${parameter}`] ?? values[parameter];
    if (value === undefined) throw new Error(`${name}: no value for ${resource}.${parameter}`);
    url = url.replace(`{${parameter}}`, encodeURIComponent(value));
  }
  const host = api.at('/');
  return method === 'GET' || method === 'DELETE' ? host.send(method, url) : host.send(method, url, body);
}

/** What is wrong with a refusal: it has to be one, in the shape that SPEC has for the route, and to show nothing. */
export function refusalFaults({ path }: Operation, answer: ApiResponse, statuses: readonly number[]): string[] {
  const faults = statuses.includes(answer.status) ? [] : [`${answer.status} instead of ${statuses.join(' or ')}`];
  if (answer.status < 400) return faults;
  if (path.startsWith('/v1/')) {
    const { error } = answer.body ?? {};
    const isOpenAi = typeof error?.message === 'string' && typeof error.type === 'string' && 'param' in error;
    return isOpenAi ? faults : [...faults, `no OpenAI-shaped error: ${answer.text}`];
  }
  if (/\/(webhooks|tool-hooks)\b/.test(path))
    return typeof answer.body?.error === 'string' ? faults : [...faults, `no simple error: ${answer.text}`];
  return [...faults, ...nativeErrorFaults(answer)];
}
