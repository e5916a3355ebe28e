import type { CallOptions, Settings } from './settings.js';
import { makeIdempotencyKey } from './web-crypto.js';

export type QueryValue = string | number | boolean | null | undefined;

/** One call of an operation, before options. */
export interface ApiRequest {
  method: string;
  /** With its parameters filled in. */
  path: string;
  query?: object | undefined;
  /** JSON, or a form. */
  body?: unknown;
  /** Where the operation takes its idempotency key: in the header, or in the options of a run. */
  keyIn?: 'header' | 'options' | undefined;
  accept?: string;
  isStream?: boolean;
}

/** A request that every attempt sends alike. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | FormData | undefined;
  idempotencyKey: string | undefined;
}

/** Builds a path: `/runs/{id}` and `['a b']` become `/runs/a%20b`. */
export function fillPath(template: string, values: readonly string[]): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[next++];
    // An empty segment, `.` and `..` would name another endpoint.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must not be ${value || 'empty'}`);
    return encodeURIComponent(value);
  });
}

/** Returns a copy of a form in which this field has this value only. */
export function withField(form: FormData, name: string, value: string): FormData {
  const copy = new FormData();
  form.forEach((each, key) => {
    if (key !== name) copy.append(key, each);
  });
  copy.append(name, value);
  return copy;
}

export async function prepareRequest(
  request: ApiRequest,
  options: CallOptions,
  settings: Settings,
): Promise<PreparedRequest> {
  const { method, path, accept = 'application/json' } = request;
  const idempotencyKey = await chooseKey(request, options);
  const headers: Record<string, string> = { accept, ...settings.headers };
  if (options.customerId !== undefined) headers['x-service-customer-id'] = options.customerId;
  if (options.cache !== undefined) headers['x-service-cache'] = options.cache ? '1' : '0';
  if (idempotencyKey !== undefined && request.keyIn === 'header') headers['idempotency-key'] = idempotencyKey;
  const body = toBody(request, idempotencyKey);
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  return {
    method,
    url: `${settings.baseUrl}${path}${toQuery(request.query)}`,
    headers: { ...headers, ...options.headers },
    body,
    idempotencyKey,
  };
}

/** A stream with a key continues and is charged when its client leaves; only a caller who wants that sets a key. */
async function chooseKey({ keyIn, isStream, body }: ApiRequest, options: CallOptions): Promise<string | undefined> {
  if (keyIn === undefined) return undefined;
  const inBody = keyIn === 'options' ? (body as RunBody | undefined)?.options?.idempotency_key : undefined;
  if (options.idempotencyKey !== undefined || inBody !== undefined) return options.idempotencyKey ?? inBody;
  return isStream ? undefined : makeIdempotencyKey();
}

interface RunBody {
  options?: { idempotency_key?: string };
}

function toBody({ body, keyIn }: ApiRequest, idempotencyKey: string | undefined): string | FormData | undefined {
  if (body === undefined) return undefined;
  if (typeof FormData !== 'undefined' && body instanceof FormData) return body;
  if (keyIn !== 'options' || idempotencyKey === undefined) return JSON.stringify(body);
  const run = body as RunBody;
  return JSON.stringify({ ...run, options: { ...run.options, idempotency_key: idempotencyKey } });
}

function toQuery(query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}) as [string, QueryValue][]) {
    if (value !== undefined && value !== null) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
