// The session of this browser. Its refresh token is in a cookie that scripts cannot read; its access token is in this module.
import type { AuthResponse, BrowserSession, SignInOptions } from '@tollgate/api/identity';
import { send } from './send.js';
import type { InvitationPreview } from './types.js';

const PATH = '/auth/browser-session';
/** An access token that ends sooner is replaced before it is used. */
const LEFT_MS_MIN = 30_000;

let session: { accessToken: string; expiresAtMs: number } | undefined;
let resuming: Promise<boolean> | undefined;
/** A person signed out, here or in another tab; or the session ended while it was used. */
export type SessionEnd = 'signed out' | 'ended';

const listeners = new Set<(end: SessionEnd) => void>();
/** Signing out ends the session of all tabs. */
const tabs = new BroadcastChannel('tollgate.session');
tabs.onmessage = () => forget('signed out');

/** Returns a token that is valid for a while; undefined when this browser is signed out. */
export async function readAccessToken(): Promise<string | undefined> {
  if (session && session.expiresAtMs - Date.now() > LEFT_MS_MIN) return session.accessToken;
  await resume();
  return session?.accessToken;
}

/** Gets an access token by the cookie. Returns whether this browser is signed in. */
export function resume(): Promise<boolean> {
  resuming ??= resumeOnce().finally(() => {
    resuming = undefined;
  });
  return resuming;
}

async function resumeOnce(): Promise<boolean> {
  const response = await send('POST', PATH);
  if (response.status === 401) {
    forget('ended');
    return false;
  }
  await keep(response);
  return true;
}

export async function signIn(email: string, password: string): Promise<void> {
  await moveToCookie(await send('POST', '/auth/login', { body: { email, password } }));
}

export async function register(email: string, password: string): Promise<void> {
  await keep(await send('POST', `${PATH}/sign-up`, { body: { email, password } }));
}

/** Only on a developer's machine. */
export async function signInAsDemoOwner(): Promise<void> {
  await moveToCookie(await send('POST', '/auth/dev-login'));
}

/** Asks for a mail with a link; the answer does not say whether the address has an account. */
export async function requestPasswordReset(email: string): Promise<void> {
  await send('POST', '/auth/password-reset', { body: { email } });
}

export async function completePasswordReset(code: string, password: string): Promise<void> {
  await send('POST', '/auth/password-reset/complete', { body: { code, password } });
}

export async function previewInvitation(code: string): Promise<InvitationPreview> {
  return (await send('POST', '/invitations/preview', { body: { code } })).json();
}

export async function signOut(): Promise<void> {
  await send('DELETE', PATH);
  tabs.postMessage('signed out');
  forget('signed out');
}

export async function readSignInOptions(): Promise<SignInOptions> {
  return (await send('GET', '/auth/sign-in-options')).json();
}

/** Calls the listener whenever the session has ended. Returns a function that stops this. */
export function onSignedOut(listener: (end: SessionEnd) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

async function moveToCookie(response: Response): Promise<void> {
  const { refresh_token } = (await response.json()) as AuthResponse;
  await keep(await send('PUT', PATH, { body: { refresh_token } }));
}

async function keep(response: Response): Promise<void> {
  const { access_token, expires_at } = (await response.json()) as BrowserSession;
  session = { accessToken: access_token, expiresAtMs: Date.parse(expires_at) };
}

function forget(end: SessionEnd): void {
  const wasSignedIn = session !== undefined;
  session = undefined;
  if (!wasSignedIn) return;
  for (const listener of listeners) listener(end);
}
