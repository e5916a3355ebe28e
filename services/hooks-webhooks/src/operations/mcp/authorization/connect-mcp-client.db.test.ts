import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  type AuthorizationServer,
  type McpTestServer,
  startAuthorizationServer,
  startMcpServer,
} from '@tollgate/testkit';
import { createMcpOAuth } from '../../../clients/mcp-oauth.js';
import { type Harness, startHarness } from '../../../testing/harness.js';
import { callMcpTool } from '../call-mcp-tool.js';
import { createMcpServer, requireMcpServer } from '../mcp-servers.js';
import { disconnectMcpServer } from './authorize-mcp-server.js';
import { type ConnectClientCommand, connectMcpClient } from './connect-mcp-client.js';

const COMMAND = { clientId: 'robot', clientSecret: 's3cret-4711', scope: '' };

let h: Harness;
let provider: AuthorizationServer;
let server: McpTestServer;
let projectId: string;
let id: string;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());
beforeEach(async () => {
  provider = await startAuthorizationServer({
    expiresInSeconds: 3_600,
    clientSecrets: { [COMMAND.clientId]: COMMAND.clientSecret },
  });
  const { issuer, accepts } = provider;
  const tools = [{ name: 'echo', inputSchema: { type: 'object' as const } }];
  server = await startMcpServer({ tools, oauth: { issuer, accepts } });
  projectId = randomUUID();
  const settings = { name: 'notes', endpointUrl: server.url, headers: {}, toolsAllowlist: [] };
  id = (await createMcpServer(h.ctx, projectId, settings)).id;
});
afterEach(async () => {
  await server.stop();
  await provider.stop();
});

const connect = (command: Partial<ConnectClientCommand> = {}, ctx = h.ctx) =>
  connectMcpClient(ctx, projectId, id, { ...COMMAND, ...command });
const readStatus = async () => (await requireMcpServer(h.ctx, projectId, id)).authorizationStatus;
const expire = () => h.database.pool.query("UPDATE mcp_authorizations SET expires_at = now() - interval '1 s'");
const { signal } = new AbortController();
const run = async () =>
  JSON.parse(
    await callMcpTool(
      h.ctx,
      {
        ...{ projectId, server: 'notes', toolName: 'mcp__notes__echo', argumentsJson: '{}' },
        ...{ executionId: randomUUID(), toolCallId: 'c' },
      },
      20_000,
      signal,
    ),
  );

it('gets a token for the resource and the scope of the server, and calls tools with it', async () => {
  expect((await connect()).authorizationStatus).toBe('authorized');
  expect(provider.tokenRequests).toEqual([
    {
      ...{ grant_type: 'client_credentials', client_id: 'robot', client_secret: COMMAND.clientSecret },
      ...{ scope: 'notes', resource: server.url },
    },
  ]);
  expect(provider.registrations).toEqual([]);
  expect(await run()).toBe('echo was called');
});

it('asks for the scope of the owner, also when it gets a new token', async () => {
  await connect({ scope: 'read' });
  await expire();
  await run();
  expect(provider.tokenRequests.map(({ scope }) => scope)).toEqual(['read', 'read']);
});

it('gets a new token before the old one expires, by one call at a time', async () => {
  await connect();
  await expire();
  provider.options.refreshMs = 300;
  expect(await Promise.all([run(), run(), run()])).toEqual(Array(3).fill('echo was called'));
  expect(provider.tokenRequests).toHaveLength(2);
});

it('gets a new token when the server refuses the old one, and repeats the call', async () => {
  await connect();
  provider.endAccess();
  expect(await run()).toBe('echo was called');
  expect([provider.tokenRequests.length, await readStatus()]).toEqual([2, 'authorized']);
});

it('calls tools with tokens that live shorter than they are renewed early', async () => {
  provider.options.expiresInSeconds = 30;
  await connect();
  // One to connect, one for the listing, and one for the call.
  expect([await run(), provider.tokenRequests.length]).toEqual(['echo was called', 3]);
});

it('loses the authorization when the client is refused, until the owner connects again', async () => {
  await connect();
  provider.options.clientSecrets = { robot: 'another' };
  provider.revoke();
  expect(await run()).toMatchObject({ error: { message: expect.stringContaining('has to connect it again') } });
  expect(await readStatus()).toBe('authorization_required');
  await connect({ clientSecret: 'another' });
  expect([await run(), await readStatus()]).toEqual(['echo was called', 'authorized']);
});

it('keeps the credentials while the authorization server is down', async () => {
  await connect();
  await expire();
  provider.options.downStatus = 503;
  expect(await run()).toMatchObject({ error: { message: expect.stringContaining('is unavailable') } });
  delete provider.options.downStatus;
  expect([await run(), await readStatus()]).toEqual(['echo was called', 'authorized']);
});

it('refuses wrong credentials with the reason, and changes nothing', async () => {
  await connect();
  const wrong = { code: 'CONFLICT', message: expect.stringContaining('invalid_client') };
  await expect(connect({ clientSecret: 'wrong' })).rejects.toMatchObject(wrong);
  expect([await run(), await readStatus()]).toEqual(['echo was called', 'authorized']);
  await expect(connect({ clientId: '' })).rejects.toMatchObject({ fields: [{ field: 'client_id' }] });
  await expect(connect({ clientSecret: '' })).rejects.toMatchObject({ fields: [{ field: 'client_secret' }] });
});

it('stores neither the secret nor the token in the clear, and forgets both', async () => {
  await connect();
  const read = () => h.database.pool.query('SELECT secret_sealed FROM mcp_authorizations WHERE id = $1', [id]);
  const { rows } = await read();
  expect(rows[0].secret_sealed.toString('latin1')).not.toMatch(/4711|at-/);
  await disconnectMcpServer(h.ctx, projectId, id);
  expect([(await read()).rows, await readStatus()]).toEqual([[], 'none']);
});

it('connects no server of another project', async () => {
  const other = connectMcpClient(h.ctx, randomUUID(), id, COMMAND);
  await expect(other).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(provider.tokenRequests).toEqual([]);
});

it('reaches no private address', async () => {
  const mcpOAuth = createMcpOAuth({ allowPrivate: false });
  await expect(connect({}, { ...h.ctx, mcpOAuth })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(provider.tokenRequests).toEqual([]);
  await mcpOAuth.stop();
});
