import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { fixture } from '../../testing/fixtures.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import { ownConnection } from '../../testing/own-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let upstream: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  upstream = await startUpstreamServer(() => undefined);
  system = await InferenceSystem.start();
});
afterAll(async () => {
  await system.stop();
  await upstream.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
  write(200, 'message-text.json');
});
afterEach(() => {
  system.ledger.ownConnections = [];
});

function write(status: number, name: string) {
  upstream.handler = (res) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(fixture('anthropic', name));
  };
}

const key = { keys: [{ secret: 'sk-secret' }] };

function test(entry: object, { secrets = key, ...more }: { secrets?: object; connectionId?: string } = {}) {
  const keys = [{ last_four: 'cret', weight: 1 }];
  const entryJson = JSON.stringify({ wire: 'anthropic', base_url: upstream.baseUrl, keys, ...entry });
  const secretsJson = JSON.stringify(secrets);
  const request = { name: 'mine', entryJson, secretsJson, upstreamModel: 'claude', modelId: 'two-routes', ...more };
  return system.client.testConnection(request, system.call());
}

describe('a test of a connection', () => {
  it('makes one tiny request with the key', async () => {
    expect(await test({ auth: { type: 'header', name: 'x-api-key' } })).toMatchObject({ succeeded: true, message: '' });
    expect(upstream.requests).toMatchObject([{ body: { model: 'claude', max_tokens: 16 } }]);
    expect(upstream.requests[0]!.headers['x-api-key']).toBe('sk-secret');
  });

  it('returns the words with which the vendor refuses the key, without the key', async () => {
    write(401, 'error-auth.json');
    const { message, ...result } = await test({});
    expect(result).toMatchObject({ succeeded: false, status: 401 });
    expect(message).toMatch(/^127\.0\.0\.1:\d+ answered 401: invalid x-api-/);
    expect(message).not.toContain('sk-ant-api03');
  });

  it('returns no session token that the vendor repeats', async () => {
    upstream.handler = (res) => {
      res.writeHead(403, { 'x-amzn-errortype': 'UnrecognizedClientException' });
      res.end('{"message":"The token session-1 is not valid"}');
    };
    const auth = { type: 'aws', region: 'eu-west-1' };
    const keys = [{ access_key_id: 'AKIA' }];
    const secrets = { keys: [{ secret: 'sk-secret', session_token: 'session-1' }] };
    const { message } = await test({ preset: 'bedrock', wire: 'bedrock', auth, keys }, { secrets });
    expect(message).toMatch(/ answered 403: The token \[redacted\] is not valid$/);
  });

  it('uses the stored secrets where none are given', async () => {
    system.ledger.ownConnections = [ownConnection(upstream.baseUrl)];
    await test({}, { connectionId: 'c1', secrets: {} });
    await test({}, { connectionId: 'c1', secrets: { headers: {} } });
    expect(upstream.requests.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
      ['Bearer sk-secret', 'blue'],
      ['Bearer sk-secret', undefined],
    ]);
    await expect(test({}, { connectionId: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reports a server that cannot be reached', async () => {
    const { message } = await test({ base_url: 'http://127.0.0.1:1' });
    expect(message).toMatch(/^127\.0\.0\.1:1 cannot be reached/);
  });

  it('ends with its caller', async () => {
    const left = new AbortController();
    upstream.handler = () => left.abort();
    const call = system.call({ signal: left.signal });
    const entryJson = JSON.stringify({ wire: 'anthropic', base_url: upstream.baseUrl });
    const asked = system.client.testConnection({ name: 'mine', entryJson, upstreamModel: 'claude' }, call);
    expect(await asked).toMatchObject({ succeeded: false });
    await waitUntil(() => upstream.cuts > 0, { what: 'the end of the request' });
  });

  it.each([
    [{ preset: 'nothing' }, 'preset', /^preset: unknown, must be one of openai, /],
    [{ wire: 'smoke-signals' }, 'wire', /^wire: /],
    [{ wire: undefined }, 'wire', 'wire: required without a preset'],
    [{ base_url: undefined }, 'base_url', 'base_url: required'],
    [{ auth: { type: 'aws', region: 'eu-west-1' } }, 'keys', 'keys: access_key_id and secret are required'],
    [{ auth: { type: 'google' } }, 'keys', /^keys: the credential /],
    // The identity of the machine is the installation's.
    [{ auth: { type: 'google' }, keys: [] }, 'keys', 'keys: required', {}],
  ])('rejects settings that cannot be used: %j', async (entry, field, message, secrets = key) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    await expect(test(entry, { secrets })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expected,
      fields: [{ field }],
    });
    expect(upstream.requests).toEqual([]);
  });
});

describe('an installation that permits no private addresses', () => {
  it.each([
    ['https://127.0.0.1:8443', 'base_url: is a private address; use the public address of the server'],
    ['http://vendor.example.com', 'base_url: must begin with https:'],
  ])('rejects %s', async (baseUrl, message) => {
    const strict = await InferenceSystem.start({ ALLOW_PRIVATE_ENDPOINTS: '0' });
    try {
      const entryJson = JSON.stringify({ wire: 'anthropic', base_url: baseUrl });
      const request = { name: 'mine', entryJson, secretsJson: JSON.stringify(key), upstreamModel: 'claude' };
      const asked = strict.client.testConnection(request, strict.call());
      await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
    } finally {
      await strict.stop();
    }
  });

  it('asks no server whose name has a private address', async () => {
    const strict = await InferenceSystem.start({ ALLOW_PRIVATE_ENDPOINTS: '0' });
    try {
      const entryJson = JSON.stringify({ wire: 'anthropic', base_url: 'https://localhost:1' });
      const request = { name: 'mine', entryJson, secretsJson: JSON.stringify(key), upstreamModel: 'claude' };
      const { message } = await strict.client.testConnection(request, strict.call());
      expect(message).toContain('localhost has an address that may not be called');
    } finally {
      await strict.stop();
    }
  });
});
