import { ApiFailure } from './failure.js';
import { type Method, type SendOptions, send } from './send.js';
import { readAccessToken, resume } from './session.js';

export { ApiFailure } from './failure.js';

/** Calls an endpoint as the signed-in owner and returns its JSON. @throws ApiFailure */
export async function call<T>(method: Method, path: string, options: SendOptions = {}): Promise<T> {
  const response = await open(method, path, options);
  return response.status === 204 ? (undefined as T) : response.json();
}

/** The same, for answers that are read piece by piece. */
export async function open(method: Method, path: string, options: SendOptions = {}): Promise<Response> {
  try {
    return await sendAsOwner(method, path, options);
  } catch (error) {
    // The token was revoked, or its signing key was replaced.
    if (!(error instanceof ApiFailure) || error.status !== 401 || !(await resume())) throw error;
    return sendAsOwner(method, path, options);
  }
}

async function sendAsOwner(method: Method, path: string, options: SendOptions): Promise<Response> {
  const token = await readAccessToken();
  if (token === undefined) throw new ApiFailure('You are signed out.', { status: 401, code: 'UNAUTHORIZED' });
  return send(method, path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
}

export const get = <T>(path: string, query?: SendOptions['query'], signal?: AbortSignal): Promise<T> =>
  call<T>('GET', path, { ...(query && { query }), ...(signal && { signal }) });
