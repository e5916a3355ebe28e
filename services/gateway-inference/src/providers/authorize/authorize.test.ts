// Credentials of clouds. Tokens come from a real server on this machine.
import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FormData } from 'undici';
import { AwsAuthorizer } from './aws-authorizer.js';
import { issueEntraToken } from './entra-token.js';
import { issueGoogleToken, parseGoogleCredential } from './google-token.js';
import { TokenAuthorizer } from './token-authorizer.js';
import { requestToken, TokenError } from './token-request.js';

let server: Server;
let origin: string;
let requests: { url: string; form: URLSearchParams; headers: Record<string, unknown> }[] = [];
let answer: { status: number; body: string; location?: string };

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on('end', () => {
      requests.push({ url: req.url!, form: new URLSearchParams(body), headers: req.headers });
      res.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
  answer = { status: 200, body: '{"access_token":"t-1","expires_in":3600,"token_type":"Bearer"}' };
});
afterAll(() => void server.close());

describe('signatures of AWS', () => {
  const clock = { now: () => new Date('2026-11-30T02:03:04.567Z') };
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  const scope = { region: 'us-east-1', service: 'bedrock' };
  const arn = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5-v1:0';
  const request = {
    method: 'POST',
    origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    path: `/model/${encodeURIComponent(arn)}/invoke`,
    headers: [],
    body: Buffer.from('{"a":"ü"}'),
  } as const;

  // The expected signatures are those of `@smithy/signature-v4` 5.7, AWS's own signer, for the same request.
  it.each([
    [undefined, 'host;x-amz-date', 'e309f811f8f8a8b197e24424a4198839b6ebec0758c49058665f0abf47b6a2db'],
    [
      'TOKEN',
      'host;x-amz-date;x-amz-security-token',
      '381a34ac0a53144489aed0f80faefb2a70800bafdb1f8bf299ed2c6d29df9170',
    ],
  ])("signs as AWS's own signer does, with the session token %s", async (sessionToken, names, signature) => {
    const authorizer = new AwsAuthorizer({ ...credentials, sessionToken }, scope, clock);
    const headers = await authorizer.authorize(request);
    const prefix = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261130/us-east-1/bedrock/aws4_request';
    expect(headers[headers.indexOf('authorization') + 1]).toBe(
      `${prefix}, SignedHeaders=${names}, Signature=${signature}`,
    );
    expect(headers[headers.indexOf('x-amz-date') + 1]).toBe('20261130T020304Z');
  });

  it('rejects a form', async () => {
    const authorizer = new AwsAuthorizer(credentials, scope, clock);
    await expect(authorizer.authorize({ ...request, body: new FormData() })).rejects.toThrow('a form cannot be signed');
  });
});

describe('tokens', () => {
  it('shares a token until shortly before it expires', async () => {
    let at = 0;
    let issued = 0;
    const authorizer = new TokenAuthorizer(() => Promise.resolve({ token: `t-${++issued}`, lifetimeSeconds: 3_600 }), {
      elapsed: () => at,
    });
    const both = await Promise.all([authorizer.authorize(), authorizer.authorize()]);
    expect(both).toEqual([
      ['authorization', 'Bearer t-1'],
      ['authorization', 'Bearer t-1'],
    ]);
    at = 3_299_999;
    expect(authorizer.authorize()).toEqual(['authorization', 'Bearer t-1']);
    at = 3_300_000;
    expect(await authorizer.authorize()).toEqual(['authorization', 'Bearer t-2']);
  });

  it('asks for a token again after a failure', async () => {
    let isUp = false;
    const authorizer = new TokenAuthorizer(
      () => (isUp ? Promise.resolve({ token: 't', lifetimeSeconds: 60 }) : Promise.reject(new TokenError('down'))),
      { elapsed: () => 0 },
    );
    await expect(authorizer.authorize()).rejects.toThrow('down');
    isUp = true;
    expect(await authorizer.authorize()).toEqual(['authorization', 'Bearer t']);
  });

  it('asks Entra for a token by client credentials', async () => {
    const client = { tenantId: 'acme.example', clientId: 'c-1', clientSecret: 's-1' };
    expect(await issueEntraToken(client, origin)).toEqual({ token: 't-1', lifetimeSeconds: 3_600 });
    expect(requests[0]!.url).toBe('/acme.example/oauth2/v2.0/token');
    expect(Object.fromEntries(requests[0]!.form)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c-1',
      client_secret: 's-1',
      scope: 'https://cognitiveservices.azure.com/.default',
    });
  });

  it('follows no redirect, which would send the credential to another server', async () => {
    answer = { status: 307, body: '', location: `${origin}/elsewhere` };
    await expect(requestToken(`${origin}/token`, { client_secret: 's-1' })).rejects.toThrow('cannot be asked');
    expect(requests.map(({ url }) => url)).toEqual(['/token']);
  });

  it.each([
    [401, '{"error":"invalid_client","error_description":"secret s-1 is wrong"}', 'answered 401 (invalid_client)'],
    [500, 'oops', 'answered 500'],
    [200, '{"token":"x"}', 'issued no token'],
    [200, 'no json', 'cannot be asked for a token'],
    [200, JSON.stringify({ access_token: 'x', expires_in: 1, pad: 'x'.repeat(300_000) }), 'too long'],
  ])('reports status %i of %s without the credential', async (status, body, message) => {
    answer = { status, body };
    const failed = requestToken(origin, { client_secret: 's-1' });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow('s-1');
  });
});

describe('tokens of Google', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const account = {
    type: 'service_account',
    client_email: 'gateway@acme.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    private_key_id: 'k-1',
    token_uri: 'https://evil.example/token',
  };
  const scope = 'https://www.googleapis.com/auth/cloud-platform';
  const clock = { nowMs: () => 1_796_000_000_000 };
  const at = () => ({ oauth: `${origin}/token`, metadata: origin });

  it('asks for a token by an assertion of the service account', async () => {
    const credential = parseGoogleCredential(JSON.stringify(account), { readsLocal: false });
    expect(await issueGoogleToken(credential, scope, clock, at())).toEqual({ token: 't-1', lifetimeSeconds: 3_600 });
    const { form } = requests[0]!;
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head, claims, signature] = form.get('assertion')!.split('.') as [string, string, string];
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k-1' });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: account.client_email,
      scope,
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1_796_000_000,
      exp: 1_796_003_600,
    });
  });

  it('asks the machine for a token without a credential', async () => {
    expect(await issueGoogleToken(undefined, scope, clock, at())).toEqual({ token: 't-1', lifetimeSeconds: 3_600 });
    const { url, headers } = requests[0]!;
    expect(url).toBe(`/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(scope)}`);
    expect(headers['metadata-flavor']).toBe('Google');
  });

  const external = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: 'https://sts.googleapis.com/v1/token',
    credential_source: { file: '/var/run/token' },
  };

  it.each<[string, object, boolean, string]>([
    ['another type', { type: 'authorized_user' }, true, 'the credential is not valid'],
    ['no private key', { ...account, private_key: undefined }, true, 'private_key'],
    [
      'an endpoint of others',
      { ...external, token_url: 'https://evil.example/token' },
      true,
      'must be a host of googleapis.com',
    ],
    ['a local file where none may be read', external, false, 'must be the key of a service account'],
  ])('rejects a credential with %s', (_, credential, readsLocal, message) => {
    expect(() => parseGoogleCredential(JSON.stringify(credential), { readsLocal })).toThrow(message);
  });

  it('reports a key that cannot be read, without it', async () => {
    const credential = parseGoogleCredential(JSON.stringify({ ...account, private_key: 'no key' }), {
      readsLocal: false,
    });
    expect(() => issueGoogleToken(credential, scope, clock, at())).toThrow(
      'the private key of the service account cannot be read',
    );
  });
});
