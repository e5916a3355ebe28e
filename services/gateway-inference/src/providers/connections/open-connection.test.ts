// Requests of connections, against a real server that records their heads.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Logger, silentLogger } from '@tollgate/runtime';
import { fixture } from '../../testing/fixtures.js';
import { openTestConnection } from '../../testing/test-connection.js';
import type { Authorizer } from '../contract/authorizer.js';
import type { Provider } from '../contract/provider.js';
import { Upstream } from '../transport/upstream.js';
import { KeyPool } from './key-pool.js';

let server: Server;
let origin: string;
/** Bodies with which the vendors refuse a key as if the request was at fault. */
const refusals: Record<string, string> = {
  invalid: fixture('google', 'error-key.json'),
  unpaid: fixture('anthropic', 'error-credit.json'),
};
const heads: string[][] = [];
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    heads.push([req.url!, ...req.rawHeaders]);
    if (req.headers['x-key'] === 'limited') res.writeHead(429, { 'retry-after': '9' });
    const refusal = refusals[String(req.headers['x-key'])];
    if (refusal) res.writeHead(400, { 'content-type': 'application/json' });
    req.resume().on('end', () => res.end(refusal ?? '{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  heads.length = 0;
  await Promise.all(closers.splice(0).map((close) => close()));
});
afterAll(() => void server.close());

/** Sends one forwarded call. */
function send(provider: Provider, upstreamModel = 'm'): Promise<void> {
  closers.push(() => provider.close());
  const call = {
    ...{ requestId: 'r', accountId: 'a', holdId: 'h-1', upstreamModel, modelId: 'm', reasons: false },
    ...{ isStream: false, maxOutputTokens: 1, request: () => undefined as never, input: () => ({ messages: [] }) },
    encode: JSON.stringify,
    forward: { dialect: provider.forwards[0]!, body: { messages: [], input: 'hi' }, modelName: 'm', betas: [] },
  };
  return new Promise((resolve) => {
    const done = (): void => resolve();
    provider.start(call, { onAnswer: done, onFailure: done } as never);
  });
}

const json = ['content-type', 'application/json'];
const accept = ['accept', 'application/json'];
const agent = ['user-agent', 'tollgate'];

it.each<[string, string, string[]]>([
  [
    'openai',
    '/v1/chat/completions',
    [...agent, 'authorization', 'Bearer k-1', ...json, ...accept, 'x-client-request-id', 'h-1'],
  ],
  [
    'xai',
    '/v1/chat/completions',
    [...agent, 'authorization', 'Bearer k-1', ...json, ...accept, 'x-client-request-id', 'h-1'],
  ],
  [
    'anthropic',
    '/v1/v1/messages',
    [...agent, 'anthropic-version', '2023-06-01', 'x-api-key', 'k-1', ...json, ...accept],
  ],
  ['gemini', '/v1/models/m:generateContent', [...agent, 'x-goog-api-key', 'k-1', ...json]],
])('sends requests of the preset %s with the same head as ever', async (preset, path, headers) => {
  await send(openTestConnection({ preset, base_url: `${origin}/v1`, keys: [{ secret: 'k-1' }] }).models);
  const [url, , host, , , ...rest] = heads[0]!;
  expect([url, host]).toEqual([path, new URL(origin).host]);
  expect(rest.slice(0, headers.length)).toEqual(headers);
  expect(rest.slice(headers.length)).toEqual(['content-length', expect.any(String)]);
});

it('names the provider of the connection, adds its headers, and shares requests between its keys', async () => {
  const { models } = openTestConnection({
    ...{ wire: 'anthropic', base_url: origin, headers: { 'x-team': 'blue' } },
    auth: { type: 'header', name: 'x-key', prefix: 'K ' },
    keys: [{ secret: 'a', weight: 1 }, { secret: 'b' }],
  });
  expect(models.id).toBe('custom');
  for (let i = 0; i < 3; i++) await send(models);
  const sent = heads.map((head) => [head[head.indexOf('x-team') + 1], head[head.indexOf('x-key') + 1]]);
  expect(sent).toEqual([
    ['blue', 'K a'],
    ['blue', 'K b'],
    ['blue', 'K a'],
  ]);
});

it('lets the key rest that a server has limited, and says so without the secret', async () => {
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (...line: unknown[]) => warnings.push(line) } as unknown as Logger;
  const { models, keys } = openTestConnection(
    {
      ...{ wire: 'anthropic', base_url: origin, auth: { type: 'header', name: 'x-key' } },
      keys: [{ secret: 'limited', id: 'first', weight: 5 }, { secret: 'free' }],
    },
    logger,
  );
  for (let i = 0; i < 3; i++) await send(models);
  expect(heads.map((head) => head[head.indexOf('x-key') + 1])).toEqual(['limited', 'free', 'free']);
  expect(keys!.hasOther).toBe(true);
  const fields = { connection: 'test', key: 'first', status: 429, rest_ms: 9_000 };
  expect(warnings).toEqual([[fields, 'key of a connection rests']]);
});

it.each([
  ['gemini', 'invalid', 401],
  ['anthropic', 'unpaid', 402],
] as const)(
  'lets the key rest that a server of the wire %s calls %s with the status 400',
  async (wire, secret, status) => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => warnings.push(line) } as unknown as Logger;
    const auth = { type: 'header', name: 'x-key' } as const;
    const keys = [{ secret, weight: 5 }, { secret: 'free' }];
    const { models } = openTestConnection({ wire, base_url: origin, auth, keys }, logger);
    for (let i = 0; i < 3; i++) await send(models);
    expect(heads.map((head) => head[head.indexOf('x-key') + 1])).toEqual([secret, 'free', 'free']);
    const fields = { connection: 'test', key: 0, status, rest_ms: 60_000 };
    expect(warnings).toEqual([[fields, 'key of a connection rests']]);
  },
);

it.each([
  ['https://api.openai.com/v1', true],
  ['https://eu.api.openai.com/v1', true],
  ['https://xapi.openai.com/v1', false],
  ['https://api.openai.com.example/v1', false],
])('recognizes whether %s is OpenAI itself', (baseUrl, isVendor) => {
  const { models } = openTestConnection({ preset: 'openai', base_url: baseUrl });
  closers.push(() => models.close());
  expect([models.forwards.includes('openai-responses'), models.lackedParameters]).toEqual(
    isVendor ? [true, ['top_k']] : [false, []],
  );
});

it('sends every call to the Responses API over the wire openai-responses', async () => {
  const { models } = openTestConnection({ wire: 'openai-responses', base_url: origin });
  expect(models.forwards).toEqual(['openai-responses']);
  // Requests of that API cannot carry penalties, seed or top_k.
  expect(models.parameters('m')).toEqual([]);
  await send(models);
  expect(heads[0]![0]).toBe('/responses');
});

/** Returns what sends a request with one of the keys. */
function openPost(...authorizers: Authorizer[]): () => Promise<unknown> {
  const limits = {
    connections: 1,
    inFlightMax: 1,
    connectTimeoutMs: 30_000,
    responseTimeoutMs: 30_000,
    idleTimeoutMs: 30_000,
  };
  const upstream = new Upstream({
    ...limits,
    provider: 'custom',
    baseUrl: `${origin}/base`,
    keys: new KeyPool(authorizers.map((authorizer) => ({ authorizer, weight: 1 }))),
    standstill: { over: () => undefined },
  });
  closers.push(() => upstream.close());
  return () =>
    new Promise((resolve) => {
      const ends = { onDone: () => resolve('done'), onFailed: resolve };
      const listener = { onHead: () => undefined, onChunk: () => undefined, ...ends };
      upstream.post('/p?q=1', ['x-a', '1'], 'body', listener, 'a');
    });
}

it('gives an authorizer the whole request, and waits for its headers', async () => {
  const seen: unknown[] = [];
  const signs: Authorizer = {
    async authorize(request) {
      seen.push(request);
      return ['x-signature', 's'];
    },
  };
  expect(await openPost(signs)()).toBe('done');
  expect(seen).toEqual([{ method: 'POST', origin, path: '/base/p?q=1', headers: ['x-a', '1'], body: 'body' }]);
  expect(heads[0]).toEqual(expect.arrayContaining(['x-signature', 's']));
});

const unauthorized: Authorizer = { authorize: () => Promise.reject(new Error('no token')) };

it('fails a request without a credential as not sent, and frees its socket', async () => {
  const failure = await openPost(unauthorized)();
  expect(failure).toMatchObject({ kind: 'unauthorized', isUnanswered: false });
  expect(heads).toEqual([]);
});

it('lets a key rest with which no credential can be obtained', async () => {
  const post = openPost(unauthorized, { authorize: () => ['x-key', 'free'] });
  expect(await post()).toMatchObject({ kind: 'unauthorized' });
  expect([await post(), await post()]).toEqual(['done', 'done']);
});

it('lets a key rest that a realtime session cannot use', async () => {
  const secret = JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key: 'none' });
  const { realtime, models, keys } = openTestConnection({
    ...{ wire: 'openai-chat', base_url: origin, auth: { type: 'google' } },
    keys: [{ secret }, { secret }],
  });
  closers.push(() => models.close());
  const connect = () => realtime!.connect({ upstreamModel: 'm', signal: new AbortController().signal } as never);
  await expect(connect()).rejects.toMatchObject({ kind: 'unauthorized', provider: 'custom' });
  expect(keys!.hasOther).toBe(true);
  await expect(connect()).rejects.toMatchObject({ kind: 'unauthorized' });
  expect(keys!.hasOther).toBe(false);
});

it('signs requests to Bedrock, and escapes the name of the model once', async () => {
  const { models } = openTestConnection({
    ...{ preset: 'bedrock', base_url: origin, auth: { type: 'aws', region: 'eu-central-1' } },
    keys: [{ access_key_id: 'AKIDEXAMPLE', secret: 'secret', session_token: 'token' }],
  });
  await send(models, 'eu.anthropic.claude-opus-5-v1:0');
  const [url, ...head] = heads[0]!;
  expect(url).toBe('/model/eu.anthropic.claude-opus-5-v1%3A0/invoke');
  const headers = toHeaders(head);
  expect(headers['x-amz-security-token']).toBe('token');
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
  );
});

it('takes a key of Bedrock as a token', async () => {
  await send(
    openTestConnection({ preset: 'bedrock', base_url: origin, keys: [{ secret: 'k-1' }] }).models,
    'anthropic.claude-opus-5-v1:0',
  );
  expect(toHeaders(heads[0]!.slice(1)).authorization).toBe('Bearer k-1');
});

it.each<[string, object, string]>([
  ['the v1 API', {}, '/openai/v1/chat/completions'],
  ['a dated API', { api_version: '2024-10-21' }, '/openai/v1/deployments/m/chat/completions?api-version=2024-10-21'],
])('reaches Azure by %s', async (_, auth, path) => {
  const entry = { preset: 'azure', base_url: `${origin}/openai/v1`, auth: { type: 'azure' as const, ...auth } };
  await send(openTestConnection({ ...entry, keys: [{ secret: 'k-1' }] }).models);
  expect(heads[0]![0]).toBe(path);
  expect(toHeaders(heads[0]!.slice(1))['api-key']).toBe('k-1');
});

it.each<[string, object, string]>([
  ['AWS', { preset: 'bedrock', auth: { type: 'aws', region: 'us-east-1' } }, 'access_key_id and secret are required'],
  [
    'Entra',
    { preset: 'azure', base_url: 'https://a.example', auth: { type: 'azure', tenant_id: 't' } },
    'auth.client_id and keys: required',
  ],
  ['Google', { preset: 'vertex-gemini', base_url: 'https://a.example' }, 'keys: required'],
])('rejects a connection to %s without a key', (_, entry, message) => {
  expect(() => openTestConnection(entry)).toThrow(message);
});

it('rejects a credential that names a file of this machine', () => {
  const secret = JSON.stringify({
    type: 'external_account',
    audience: 'a',
    subject_token_type: 't',
    token_url: 'https://sts.googleapis.com/v1/token',
    credential_source: { file: '/etc/passwd' },
  });
  expect(() =>
    openTestConnection({ preset: 'vertex-gemini', base_url: 'https://a.example', keys: [{ secret }] }),
  ).toThrow('the credential must be the key of a service account');
});

/** Returns the headers of a raw list by their names in lower case. */
function toHeaders(list: readonly string[]): Record<string, string> {
  const names = list.filter((_, place) => place % 2 === 0);
  return Object.fromEntries(names.map((name, place) => [name.toLowerCase(), list[place * 2 + 1]!]));
}
