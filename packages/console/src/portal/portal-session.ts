// The session of the portal. Its token is in this module, because a frame has no cookies; and, unless the page is in a frame, in the
// storage of its tab, which survives a reload and ends with the tab.
import { ApiFailure } from '../api/failure.js';
import { type Method, type SendOptions, send } from '../api/send.js';
import type { PortalSession } from '../api/types.js';

const LINK = /^\/portal\/([0-9a-f-]{36})\/?$/;

const STORED = 'tollgate.portal';

interface Stored {
  project_id: string;
  session: PortalSession;
}

let session: PortalSession | undefined;
const listeners = new Set<() => void>();

/**
 * Exchanges the code in the address, which leaves the address at once. Without a code, continues the session of this tab, if it has one
 * with the same project. @throws ApiFailure
 */
export async function startPortal(): Promise<PortalSession> {
  const project_id = LINK.exec(location.pathname)?.[1];
  const code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  // A link that is opened in the same tab changes only the part of the address after `#`.
  addEventListener('hashchange', () => location.reload());
  if (project_id === undefined) throw lost();
  session = code === '' ? readStored(project_id) : await exchange(project_id, code);
  return session;
}

async function exchange(project_id: string, code: string): Promise<PortalSession> {
  storage()?.removeItem(STORED);
  const response = await send('POST', '/portal/session', { body: { project_id, code } });
  const started = (await response.json()) as PortalSession;
  storage()?.setItem(STORED, JSON.stringify({ project_id, session: started }));
  return started;
}

function readStored(projectId: string): PortalSession {
  const stored = JSON.parse(storage()?.getItem(STORED) ?? 'null') as Stored | null;
  if (stored?.project_id !== projectId) throw lost();
  return stored.session;
}

/** Undefined in a frame, whose storage other sites may share, and where the browser forbids it. */
function storage(): Storage | undefined {
  try {
    return window.top === window.self ? sessionStorage : undefined;
  } catch {
    return undefined;
  }
}

function lost(): ApiFailure {
  return new ApiFailure('This page was opened without a link.', { status: 401, code: 'UNAUTHORIZED' });
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
  storage()?.removeItem(STORED);
  for (const listener of listeners) listener();
}

export function onPortalEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
