import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuthorizationServer,
  type McpTestServer,
  startAuthorizationServer,
  startMcpServer,
} from '@tollgate/testkit';
import { createMcpOAuth } from '../../../clients/mcp-oauth.js';
import { type Harness, startHarness } from '../../../testing/harness.js';
import { rewrapSecrets } from '../../rewrap-secrets.js';
import { callMcpTool } from '../call-mcp-tool.js';
import { listMcpTools } from '../list-mcp-tools.js';
import { createMcpServer, requireMcpServer, updateMcpServer } from '../mcp-servers.js';
import { testMcpServer } from '../test-mcp-server.js';
import {
  type Authorizer,
  authorizeMcpServer,
  completeMcpAuthorization,
  disconnectMcpServer,
} from './authorize-mcp-server.js';

const REDIRECT = 'https://gate.example/api/v1/mcp-servers/oauth/callback';
const COMMAND = { redirectUri: REDIRECT, clientId: '', clientSecret: '', scope: '' };

let h: Harness;
let provider: AuthorizationServer;
let server: McpTestServer;
let by: Authorizer;
let id: string;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());
beforeEach(async () => {
  provider = await startAuthorizationServer({ expiresInSeconds: 3_600 });
  const { issuer, accepts } = provider;
  const tools = [{ name: 'echo', inputSchema: { type: 'object' as const } }];
  server = await startMcpServer({ tools, oauth: { issuer, accepts } });
  by = { projectId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() };
  const settings = { name: 'notes', endpointUrl: server.url, headers: {}, toolsAllowlist: [] };
  id = (await createMcpServer(h.ctx, by.projectId, settings)).id;
});
afterEach(async () => {
  await server.stop();
  await provider.stop();
});

const start = (command: Partial<typeof COMMAND> = {}, who = by) =>
  authorizeMcpServer(h.ctx, who, id, { ...COMMAND, ...command });

/** Opens the address as a browser does; returns what the authorization server sends back. */
async function approve(url: string) {
  const { headers } = await fetch(url, { redirect: 'manual' });
  const back = new URL(headers.get('location')!);
  const { state = '', code = '', iss: issuer = '' } = Object.fromEntries(back.searchParams);
  return { state, code, issuer };
}

const complete = (answer: { state: string; code: string; issuer: string }, who = by, serverId = id) =>
  completeMcpAuthorization(h.ctx, who, serverId, answer);
const connect = async () => complete(await approve(await start()));
const readStatus = async () => (await requireMcpServer(h.ctx, by.projectId, id)).authorizationStatus;
const signal = new AbortController().signal;
const run = async (ctx = h.ctx) =>
  JSON.parse(
    await callMcpTool(
      ctx,
      {
        ...{ projectId: by.projectId, server: 'notes', toolName: 'mcp__notes__echo', argumentsJson: '{}' },
        ...{ executionId: randomUUID(), toolCallId: 'c' },
      },
      20_000,
      signal,
    ),
  );
const REQUIRED = { error: { code: 'PROVIDER_ERROR', message: expect.stringContaining('has to connect it again') } };
const expire = () => h.database.pool.query("UPDATE mcp_authorizations SET expires_at = now() - interval '1 s'");
const countRefreshes = () => provider.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token').length;

describe('connecting a server', () => {
  it('registers a client, asks with PKCE for the resource, and calls tools with the token', async () => {
    const url = new URL(await start());
    const registered = { client_name: 'Tollgate', redirect_uris: [REDIRECT], application_type: 'web' };
    expect(provider.registrations).toMatchObject([registered]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', redirect_uri: REDIRECT, client_id: 'client-1' },
      ...{ resource: server.url, scope: 'notes', state: expect.stringContaining(`.${by.projectId}.${id}`) },
    });
    expect(await readStatus()).toBe('none');
    const connected = await complete(await approve(url.href));
    expect(connected.authorizationStatus).toBe('authorized');
    expect(provider.tokenRequests[0]).toMatchObject({ resource: server.url, code_verifier: expect.any(String) });
    expect(await run()).toBe('echo was called');
    expect(server.calls[0]?.authorization).toMatch(/^Bearer at-/);
  });

  it('registers a native client on the machine of its owner', async () => {
    await start({ redirectUri: 'http://127.0.0.1:8080/api/v1/mcp-servers/oauth/callback' });
    expect(provider.registrations).toMatchObject([{ application_type: 'native' }]);
  });

  it('uses the client of the owner, and else the client of the last time', async () => {
    provider.options.registersClients = false;
    await expect(start()).rejects.toMatchObject({ code: 'CONFLICT' });
    const answer = await approve(await start({ clientId: 'mine', clientSecret: 's3cret', scope: 'all' }));
    await complete(answer);
    expect(provider.tokenRequests[0]).toMatchObject({ client_id: 'mine', client_secret: 's3cret' });
    expect(new URL(await start()).searchParams.get('client_id')).toBe('mine');
  });

  it('accepts a code once, in the session that started, for its server and project only', async () => {
    const answer = await approve(await start());
    const invalid = { code: 'VALIDATION_ERROR' };
    const other = { name: 'other', endpointUrl: server.url, headers: {}, toolsAllowlist: [] };
    const { id: otherId } = await createMcpServer(h.ctx, by.projectId, other);
    await expect(complete(answer, { ...by, sessionId: randomUUID() })).rejects.toMatchObject(invalid);
    await expect(complete(answer, { ...by, userId: randomUUID() })).rejects.toMatchObject(invalid);
    await expect(complete(answer, by, otherId)).rejects.toMatchObject(invalid);
    await expect(complete(answer, { ...by, projectId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(complete({ ...answer, state: 'invented' })).rejects.toMatchObject(invalid);
    await complete(answer);
    await expect(complete(answer)).rejects.toMatchObject(invalid);
  });

  it('rejects a state that has expired, and a code of another issuer or of none', async () => {
    const late = await approve(await start());
    await h.database.pool.query("UPDATE mcp_authorization_attempts SET expires_at = now() - interval '1 s'");
    await expect(complete(late)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const answer = await approve(await start());
    await expect(complete({ ...answer, issuer: 'https://evil.example' })).rejects.toMatchObject({
      message: expect.stringContaining('another authorization server'),
    });
    await expect(complete({ ...(await approve(await start())), issuer: '' })).rejects.toMatchObject({
      message: expect.stringContaining('does not name its authorization server'),
    });
    expect(provider.tokenRequests).toEqual([]);
  });

  it('stores no token in the clear, and reseals them', async () => {
    await connect();
    const { rows } = await h.database.pool.query('SELECT secret_sealed FROM mcp_authorizations WHERE id = $1', [id]);
    expect(rows[0].secret_sealed.toString('latin1')).not.toMatch(/at-|rt-/);
    await rewrapSecrets(h.ctx);
    expect(await run()).toBe('echo was called');
  });

  it('reaches no private address, whatever documents name', async () => {
    const guarded = createMcpOAuth({ allowPrivate: false });
    await expect(authorizeMcpServer({ ...h.ctx, mcpOAuth: guarded }, by, id, COMMAND)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(provider.registrations).toEqual([]);
    await guarded.stop();
  });
});

describe('the tokens', () => {
  it('refreshes tokens before they expire, by one call at a time, and rotates them', async () => {
    await connect();
    provider.options.refreshMs = 300;
    for (let round = 1; round <= 2; round += 1) {
      await expire();
      const calls = await Promise.all([run(), run(), run()]);
      expect(calls).toEqual(Array(3).fill('echo was called'));
      expect(countRefreshes()).toBe(round);
    }
    const sent = provider.tokenRequests.map(({ refresh_token }) => refresh_token).filter(Boolean);
    expect(new Set(sent).size).toBe(2);
  });

  it('refreshes tokens once when the server refuses them, and repeats the call', async () => {
    await connect();
    await run();
    provider.endAccess();
    expect(await run()).toBe('echo was called');
    expect([countRefreshes(), await readStatus()]).toEqual([1, 'authorized']);
  });

  it('fails calls clearly after tokens are revoked, until the owner connects again', async () => {
    await connect();
    await run();
    provider.revoke();
    expect(await run()).toEqual(REQUIRED);
    expect(await readStatus()).toBe('authorization_required');
    const { reply } = await testMcpServer(h.ctx, by.projectId, id);
    expect(reply).toMatchObject({ ok: false, isRetryable: false });
    await connect();
    expect([await run(), await readStatus()]).toEqual(['echo was called', 'authorized']);
  });

  it('keeps tokens while the authorization server is down', async () => {
    await connect();
    await run();
    provider.options.downStatus = 503;
    await expire();
    expect(await run()).toMatchObject({ error: { message: expect.stringContaining('is unavailable') } });
    delete provider.options.downStatus;
    expect([await run(), await readStatus()]).toEqual(['echo was called', 'authorized']);
  });

  it('refreshes tokens in another process after the first one died', async () => {
    await connect();
    await run();
    await expire();
    await h.database.pool.query("UPDATE mcp_authorizations SET refreshing_until = now() + interval '300 ms'");
    expect(await run()).toBe('echo was called');
    expect(countRefreshes()).toBe(1);
  });

  it('sends no tokens to another origin that the server moves to', async () => {
    await connect();
    const moved = await startMcpServer({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    await updateMcpServer(h.ctx, by.projectId, id, { endpointUrl: moved.url });
    expect(await readStatus()).toBe('authorization_required');
    expect((await listMcpTools(h.ctx, by.projectId, ['notes'], 10_000))[0]?.reply.ok).toBe(false);
    expect(moved.methods).toEqual([]);
    await moved.stop();
  });

  it('deletes tokens when the owner disconnects or deletes the server', async () => {
    await connect();
    await disconnectMcpServer(h.ctx, by.projectId, id);
    expect(await readStatus()).toBe('none');
    await expect(disconnectMcpServer(h.ctx, by.projectId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await h.database.pool.query('SELECT id FROM mcp_authorizations WHERE id = $1', [id]);
    expect(rows).toEqual([]);
  });
});
