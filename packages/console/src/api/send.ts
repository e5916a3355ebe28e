import { ApiFailure } from './failure.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface SendOptions {
  body?: unknown;
  /** Fields that are undefined or empty are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const BASE = '/api/v1';

/** Sends one request. @throws ApiFailure for every answer but a success and 401 */
export async function send(method: Method, path: string, options: SendOptions = {}): Promise<Response> {
  const { body, query = {}, headers = {}, signal } = options;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const response = await fetch(`${BASE}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.ok || (response.status === 401 && path === '/auth/browser-session')) return response;
  throw await ApiFailure.read(response);
}
