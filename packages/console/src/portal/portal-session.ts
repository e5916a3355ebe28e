// The session of the portal. Its token is only in this module: a frame has no cookies, and a closed page leaves nothing.
import { ApiFailure } from '../api/failure.js';
import { type Method, type SendOptions, send } from '../api/send.js';
import type { PortalSession } from '../api/types.js';

const LINK = /^\/portal\/([0-9a-f-]{36})\/?$/;

let session: PortalSession | undefined;
const listeners = new Set<() => void>();

/** Exchanges the code in the address, which leaves the address at once. @throws ApiFailure */
export async function startPortal(): Promise<PortalSession> {
  const project_id = LINK.exec(location.pathname)?.[1];
  const code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  if (project_id === undefined || code === '') throw lost();
  const response = await send('POST', '/portal/session', { body: { project_id, code } });
  session = (await response.json()) as PortalSession;
  return session;
}

function lost(): ApiFailure {
  return new ApiFailure(401, 'UNAUTHORIZED', 'This page was opened without a link, or reloaded.', undefined, {});
}

/** Calls an endpoint as the customer. @throws ApiFailure */
export async function callAsCustomer<T>(method: Method, path: string, options: SendOptions = {}): Promise<T> {
  if (session === undefined) throw lost();
  const headers = { ...options.headers, Authorization: `Bearer ${session.token}` };
  try {
    const response = await send(method, path, { ...options, headers });
    return response.status === 204 ? (undefined as T) : await response.json();
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) endPortal();
    throw error;
  }
}

/** Forgets the token; the page says that the session has ended. */
export function endPortal(): void {
  session = undefined;
  for (const listener of listeners) listener();
}

export function onPortalEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
