import { fetch } from 'undici';
import { z } from 'zod';

/** A token endpoint that takes longer fails the request that needs the token. */
const DEADLINE_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;

/** An access token as a token endpoint returns it. */
export interface IssuedToken {
  token: string;
  lifetimeSeconds: number;
}

/** A token was not issued. The message names the endpoint and the status, never the credential. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

const oauthAnswer = z.object({
  access_token: z.string().min(1).max(16_384),
  // Some endpoints write the number as a text.
  expires_in: z.coerce.number().positive().max(31_536_000),
});

/** Sends a form to an OAuth 2.0 token endpoint. @throws TokenError */
export async function requestToken(url: string, form: Readonly<Record<string, string>>): Promise<IssuedToken> {
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const answer = oauthAnswer.safeParse(await requestJson(url, { method: 'POST', headers, body }));
  if (!answer.success) throw new TokenError(`${toHost(url)} issued no token`);
  return { token: answer.data.access_token, lifetimeSeconds: answer.data.expires_in };
}

/** Sends a request and returns the JSON of its answer. @throws TokenError for any other status than 2xx, or no JSON in time */
export async function requestJson(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = await readBounded(answer.body);
    if (!answer.ok) throw new TokenError(`${toHost(url)} answered ${answer.status}${readReason(text)}`);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`${toHost(url)} cannot be asked for a token`, { cause: error });
  }
}

async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new TokenError('the answer of the token endpoint is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the code of an OAuth error, which does not repeat the credential; its description may. */
function readReason(text: string): string {
  const code = /"error"\s*:\s*"([a-zA-Z0-9_.-]{1,64})"/.exec(text)?.[1];
  return code === undefined ? '' : ` (${code})`;
}

function toHost(url: string): string {
  return new URL(url).host;
}
