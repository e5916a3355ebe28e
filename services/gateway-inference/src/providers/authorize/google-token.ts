import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@tollgate/runtime';
import { z } from 'zod';
import { type IssuedToken, requestJson, requestToken, TokenError } from './token-request.js';

/** Where Google issues tokens; tests replace it. */
export interface GoogleEndpoints {
  oauth: string;
  metadata: string;
}

const endpoints: GoogleEndpoints = {
  oauth: 'https://oauth2.googleapis.com/token',
  metadata: 'http://metadata.google.internal',
};
const ASSERTION_SECONDS = 3_600;
const SUBJECT_TOKEN_CHARS_MAX = 16_384;

/** Hosts of Google that a credential may name. */
const googleUrl = z
  .url({ protocol: /^https$/ })
  .refine((url) => /^[a-z0-9.-]+\.googleapis\.com$/.test(new URL(url).hostname), 'must be a host of googleapis.com');

const serviceAccount = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1).max(320),
  private_key: z.string().min(1).max(16_384),
  private_key_id: z.string().max(256).optional(),
});

const format = z.object({ type: z.enum(['text', 'json']), subject_token_field_name: z.string().max(256).optional() });
const externalAccount = z.object({
  type: z.literal('external_account'),
  audience: z.string().min(1).max(1_024),
  subject_token_type: z.string().min(1).max(256),
  token_url: googleUrl,
  service_account_impersonation_url: googleUrl.optional(),
  credential_source: z.object({
    /** The platform writes the workload's token there; sources by URL and of AWS are not supported. */
    file: z.string().min(1).max(4_096),
    format: format.optional(),
  }),
});

/** A credential of Google: the key file of a service account, or the configuration of a workload identity federation. */
const credential = z.discriminatedUnion('type', [serviceAccount, externalAccount]);

/** A credential of Google. */
export type GoogleCredential = z.output<typeof credential>;

/**
 * Parses a credential. `readsLocal`: it may name a file or an address of this machine, which only the installation's own may.
 *
 * @throws TokenError that says what is wrong, without the credential
 */
export function parseGoogleCredential(text: string, { readsLocal }: { readsLocal: boolean }): GoogleCredential {
  const parsed = credential.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TokenError(`the credential is not valid: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (parsed.data.type === 'external_account' && !readsLocal) {
    throw new TokenError('the credential must be the key of a service account');
  }
  return parsed.data;
}

/**
 * Returns a token for a scope. Without a credential, that of the machine's own service account. @throws TokenError
 *
 * Sources: developers.google.com/identity/protocols/oauth2/service-account (HTTP/REST), google.aip.dev/auth/4117 (external accounts)
 * and cloud.google.com/compute/docs/metadata, read 2026-11-30.
 */
export function issueGoogleToken(
  found: GoogleCredential | undefined,
  scope: string,
  clock: Pick<Clock, 'nowMs'>,
  at = endpoints,
): Promise<IssuedToken> {
  if (!found) return askMetadata(scope, at);
  return found.type === 'service_account' ? askForAssertion(found, scope, clock, at) : exchangeToken(found, scope);
}

function askForAssertion(
  account: z.output<typeof serviceAccount>,
  scope: string,
  clock: Pick<Clock, 'nowMs'>,
  { oauth }: GoogleEndpoints,
): Promise<IssuedToken> {
  const iat = Math.floor(clock.nowMs() / 1_000);
  const claims = { iss: account.client_email, scope, aud: endpoints.oauth, iat, exp: iat + ASSERTION_SECONDS };
  const header = { alg: 'RS256', typ: 'JWT', ...(account.private_key_id ? { kid: account.private_key_id } : {}) };
  const signed = `${toBase64Url(header)}.${toBase64Url(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), readKey(account.private_key)).toString('base64url');
  const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return requestToken(oauth, { grant_type: grantType, assertion: `${signed}.${signature}` });
}

async function exchangeToken(account: z.output<typeof externalAccount>, scope: string): Promise<IssuedToken> {
  const impersonation = account.service_account_impersonation_url;
  const federated = await requestToken(account.token_url, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: account.audience,
    scope: impersonation === undefined ? scope : 'https://www.googleapis.com/auth/cloud-platform',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token_type: account.subject_token_type,
    subject_token: await readSubjectToken(account.credential_source),
  });
  return impersonation === undefined ? federated : impersonate(impersonation, scope, federated.token);
}

const impersonated = z.object({ accessToken: z.string().min(1).max(16_384) });

async function impersonate(url: string, scope: string, token: string): Promise<IssuedToken> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ scope: [scope], lifetime: `${ASSERTION_SECONDS}s` });
  const answer = impersonated.safeParse(await requestJson(url, { method: 'POST', headers, body }));
  if (!answer.success) throw new TokenError(`${new URL(url).host} issued no token`);
  return { token: answer.data.accessToken, lifetimeSeconds: ASSERTION_SECONDS };
}

async function readSubjectToken({
  file,
  format: form,
}: z.output<typeof externalAccount>['credential_source']): Promise<string> {
  const text = await readTokenFile(file);
  const field = form?.subject_token_field_name ?? 'access_token';
  const token = form?.type === 'json' ? (parseJson(text) as Record<string, unknown> | undefined)?.[field] : text;
  if (typeof token !== 'string' || token === '' || token.length > SUBJECT_TOKEN_CHARS_MAX) {
    throw new TokenError('the token of the workload cannot be read');
  }
  return token.trim();
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new TokenError('the token file of the workload cannot be read', { cause: error });
  }
}

const metadataAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

async function askMetadata(scope: string, { metadata }: GoogleEndpoints): Promise<IssuedToken> {
  const path = '/computeMetadata/v1/instance/service-accounts/default/token';
  const url = `${metadata}${path}?scopes=${encodeURIComponent(scope)}`;
  const answer = metadataAnswer.safeParse(await requestJson(url, { headers: { 'metadata-flavor': 'Google' } }));
  if (!answer.success) throw new TokenError('the metadata server issued no token');
  return { token: answer.data.access_token, lifetimeSeconds: answer.data.expires_in };
}

function readKey(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new TokenError('the private key of the service account cannot be read');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toBase64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
