import { elapsed } from '@tollgate/runtime';
import type { SafeFetchClient, SafeFetchInit, SafeFetchResponse, SafeFetchResult } from '@tollgate/safe-fetch';

const REDIRECTS_MAX = 5;

const redirects = new Set([301, 302, 303, 307, 308]);

/** A request whose time limit is for all redirects together. */
export interface FollowedRequest extends Pick<SafeFetchInit, 'maxResponseBytes' | 'oversize' | 'signal'> {
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/** Reads a public URL. Every address of a redirect chain is checked; private addresses are never read. */
export async function followRedirects(
  client: SafeFetchClient,
  first: string,
  { headers, timeoutMs, ...rest }: FollowedRequest,
): Promise<SafeFetchResult> {
  const until = elapsed() + timeoutMs;
  let url = first;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const answer = await client.fetch(url, {
      ...rest,
      headers: { ...headers, 'accept-encoding': 'identity' },
      timeoutMs: Math.max(1, until - elapsed()),
      allowPrivate: false,
    });
    if (!answer.ok) return answer;
    const location = redirects.has(answer.status) ? readHeader(answer, 'location') : '';
    if (location === '') return answer;
    if (!URL.canParse(location, url)) return failed('the page redirects to an invalid address');
    url = new URL(location, url).href;
  }
  return failed(`more than ${REDIRECTS_MAX} redirects`);
}

/** Returns the first value of a header; empty without one. */
export function readHeader({ headers }: SafeFetchResponse, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function failed(message: string): SafeFetchResult {
  return { ok: false, reason: 'protocol', message, reached: true };
}
