import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { listMcpServersResponse, mcpServerResponse, testMcpServerResponse } from '@tollgate/api/hooks';
import { McpServerService } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { makeTenant } from '../../../testing/route-test.js';
import { type Endpoint, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { mcpServerRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const server = {
  id,
  projectId: id,
  name: 'notes',
  endpointUrl: 'https://mcp.example.com/mcp',
  enabled: true,
  timeoutMs: 30_000,
  toolsAllowlist: ['find'],
  headerNames: ['Authorization'],
  authorizationStatus: 'authorized',
  createdAt: at,
  updatedAt: at,
};
const serverJson = {
  id,
  project_id: id,
  name: 'notes',
  endpoint_url: 'https://mcp.example.com/mcp',
  enabled: true,
  timeout_ms: 30_000,
  tools_allowlist: ['find'],
  header_names: ['Authorization'],
  authorization_status: 'authorized',
  created_at: time,
  updated_at: time,
};
const good = { name: 'notes', endpoint_url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer x' } };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
let testAnswer: object;
const servers = recordedPeer(McpServerService, {
  createMcpServer: { server },
  getMcpServer: { server },
  listMcpServers: { servers: [server, server], hasMore: true },
  updateMcpServer: { server },
  deleteMcpServer: {},
  testMcpServer: () => testAnswer,
  authorizeMcpServer: {
    authorizationUrl: 'https://auth.example/authorize?x=1',
    expiresInSeconds: 600,
  },
  completeMcpAuthorization: { server },
  disconnectMcpServer: {},
});

const { harness, send } = useRoutes(import.meta.url, [mcpServerRouter], [servers], {
  path: ({ projectId }) => `/projects/${projectId}/mcp-servers`,
  credential: 'ownerToken',
});
beforeEach(() => {
  testAnswer = { status: 'success', latencyMs: 3 };
});

const endpoints: Endpoint[] = [
  ['get', '', undefined],
  ['post', '', good],
  ['get', `/${id}`, undefined],
  ['put', `/${id}`, {}],
  ['delete', `/${id}`, undefined],
  ['post', `/${id}/test`, undefined],
  ['post', `/${id}/authorize`, {}],
  ['post', `/${id}/authorization`, { state: 's', code: 'c' }],
  ['delete', `/${id}/authorization`, undefined],
];

describe('200', () => {
  it('lists servers in pages', async () => {
    const res = await send('get', '?limit=2&offset=4');
    expect([res.status, res.body]).toEqual([200, { servers: [serverJson, serverJson], next_cursor: '6' }]);
    expect(asked).toMatchObject([{ req: { limit: 2, offset: 4 }, projectId: harness.tenant.projectId }]);
    listMcpServersResponse.parse(res.body);
  });

  it('returns a server without the values of its headers', async () => {
    const res = await send('get', `/${id}`);
    expect([res.status, res.body]).toEqual([200, { server: serverJson }]);
    mcpServerResponse.parse(res.body);
  });

  it('updates only the given fields', async () => {
    const res = await send('put', `/${id}`, { headers: {}, tools_allowlist: [], timeout_ms: null, enabled: false });
    expect([res.status, res.body]).toEqual([200, { server: serverJson }]);
    expect(asked).toMatchObject([
      { req: { id, headers: { headers: {} }, toolsAllowlist: { tools: [] }, enabled: false } },
    ]);
    await send('put', `/${id}`, {});
    expect(asked[1]!.req).toEqual({ id });
  });

  it('starts a connection with the address of the callback, and completes it', async () => {
    const started = await send('post', `/${id}/authorize`, { client_id: 'mine', scope: 'notes' });
    expect([started.status, started.body]).toEqual([
      200,
      { authorization_url: 'https://auth.example/authorize?x=1', expires_in: 600 },
    ]);
    const done = await send('post', `/${id}/authorization`, { state: 's', code: 'c', iss: 'https://auth.example' });
    expect([done.status, done.body]).toEqual([200, { server: serverJson }]);
    expect(asked).toMatchObject([
      {
        req: {
          ...{ id, clientId: 'mine', clientSecret: '', scope: 'notes' },
          redirectUri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/mcp-servers\/oauth\/callback$/),
        },
      },
      { req: { id, state: 's', code: 'c', issuer: 'https://auth.example' } },
    ]);
    expect((await send('delete', `/${id}/authorization`)).status).toBe(204);
  });

  it('redirects the browser to the page of the server, with the code in the fragment', async () => {
    const open = (query: string) => request(harness.app).get(`/api/v1/mcp-servers/oauth/callback${query}`).redirects(0);
    const { projectId } = harness.tenant;
    const state = `random.${projectId}.${id}`;
    const done = await open(`?state=${state}&code=c&iss=https://auth.example`);
    expect([done.status, done.headers.location]).toEqual([
      303,
      `/console/p/${projectId}/mcp-servers/${id}#state=${state}&code=c&iss=https%3A%2F%2Fauth.example`,
    ]);
    const denied = await open(`?state=${state}&error=access_denied`);
    expect(denied.headers.location).toMatch(/#state=.*&error=access_denied$/);
    expect((await open('?state=//evil.example&code=c')).headers.location).toMatch(/^\/console\/#/);
    expect(asked).toEqual([]);
  });

  it('bounds how often a project tests its servers', async () => {
    const { ownerToken, projectId } = await makeTenant(harness.ctx);
    const test = () =>
      request(harness.app)
        .post(`/api/v1/projects/${projectId}/mcp-servers/${id}/test`)
        .set('Authorization', `Bearer ${ownerToken}`);
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await test()).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect((await test()).headers['retry-after']).toMatch(/^\d+$/);
    expect((await send('post', `/${id}/test`)).status).toBe(200);
  });

  it('returns the tools of a tested server, or its failure', async () => {
    const offered = { name: 'mcp__notes__find', tool: 'find', description: 'd', parametersJson: '{"type":"object"}' };
    testAnswer = { status: 'success', latencyMs: 3, tools: [offered], refusedTools: [{ tool: 'x', reason: 'r' }] };
    const res = await send('post', `/${id}/test`);
    expect(res.body).toEqual({
      status: 'success',
      response_status: null,
      latency_ms: 3,
      error: null,
      tools: [{ name: 'mcp__notes__find', tool: 'find', description: 'd', parameters: { type: 'object' } }],
      refused_tools: [{ tool: 'x', reason: 'r' }],
    });
    testMcpServerResponse.parse(res.body);
    testAnswer = { status: 'error', responseStatus: 401, latencyMs: 3, error: 'the server answered 401' };
    expect((await send('post', `/${id}/test`)).body).toMatchObject({ response_status: 401, tools: [] });
  });
});

describe('201', () => {
  it('registers a server', async () => {
    const res = await send('post', '', good);
    expect([res.status, res.body]).toEqual([201, { server: serverJson }]);
    expect(asked).toMatchObject([
      { req: { name: 'notes', headers: { Authorization: 'Bearer x' }, toolsAllowlist: [] } },
    ]);
  });
});

describe('204', () => {
  it('deletes a server', async () => {
    expect((await send('delete', `/${id}`)).status).toBe(204);
  });
});

describe('400', () => {
  it.each<[object]>([[{ headers: 'x' }], [{ headers: { a: 1 } }], [{ timeout_ms: 'x' }], [{ tools_allowlist: [1] }]])(
    'rejects %j before any call',
    async (body) => {
      const res = await send('post', '', { ...good, ...body });
      expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(asked).toEqual([]);
    },
  );
});

describe('404', () => {
  it.each(endpoints)('passes on the refusal of %s %s', async (method, path, body) => {
    refuseWith(new AppError('NOT_FOUND', 'MCP server not found'));
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
