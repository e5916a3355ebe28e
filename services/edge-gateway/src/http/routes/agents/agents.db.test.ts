import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentService, type AgentSnapshotSchema } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService, type GetCustomerRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type CheckMcpServersRequest, McpServerService } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { type CheckToolBindingsRequest, ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import request from 'supertest';
import { peer } from '../../../testing/route-test.js';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { agentRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const id = randomUUID();
const snapshot: MessageInitShape<typeof AgentSnapshotSchema> = {
  agent: { id, projectId: id, slug: 'helper', name: 'Helper', currentRevision: 2, createdAt: at, updatedAt: at },
  version: {
    revision: 2,
    toolsJson: '[{"definition":{"type":"web"}}]',
    maxSteps: 10,
    maxDurationSec: 300,
    stepTimeoutSec: 60,
    toolFailurePolicy: 'stop',
    createdAt: at,
  },
};
const agentJson = {
  agent: {
    id,
    project_id: id,
    slug: 'helper',
    name: 'Helper',
    current_revision: 2,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
  },
  version: {
    revision: 2,
    tools: [{ definition: { type: 'web' } }],
    max_steps: 10,
    max_duration_sec: 300,
    step_timeout_sec: 60,
    tool_failure_policy: 'stop',
    created_at: '2030-01-01T00:00:00.000Z',
  },
};

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const registry = recordedPeer(AgentService, {
  createAgent: { snapshot },
  updateAgent: { snapshot },
  getAgent: { snapshot },
  listAgents: { agents: [snapshot], hasMore: true },
  listAgentVersions: { versions: [snapshot.version!], hasMore: false },
  deleteAgent: {},
});

const memory = recordedPeer(ToolStateService, {
  readAgentMemory: { content: 'Own.', customerContent: 'Of the customer.' },
  writeAgentMemory: {},
});
const customerId = randomUUID();
const customers = peer(BillingService, {
  getCustomer({ by }: GetCustomerRequest, call: Call) {
    if (by.value !== customerId) throw new AppError('NOT_FOUND', 'customer not found');
    const { projectId } = call.principal!;
    return { envelope: { customer: { id: customerId, projectId, externalId: 'ada', createdAt: at } } };
  },
});

/** Why a hook cannot run the tools bound to it; empty = it can. */
let hookFault = '';
const hooks = peer(ToolHookService, {
  checkToolBindings: ({ bindings }: CheckToolBindingsRequest) => ({ faults: bindings.map(() => hookFault) }),
});
const servers = peer(McpServerService, {
  checkMcpServers({ names }: CheckMcpServersRequest) {
    return { faults: names.map((name) => (name === 'gone' ? 'deleted' : '')) };
  },
});

const { harness, send } = useRoutes(import.meta.url, [agentRouter], [registry, hooks, servers, memory, customers], {
  path: ({ projectId }) => `/projects/${projectId}/agents`,
  credential: 'secretKey',
});
beforeEach(() => {
  hookFault = '';
});

const endpoints: Endpoint[] = [
  ['get', '', undefined],
  ['post', '', { name: 'Helper', slug: 'helper' }],
  ['get', '/helper', undefined],
  ['patch', '/helper', { name: 'Helper' }],
  ['delete', '/helper', undefined],
  ['get', '/helper/versions', undefined],
  ['get', '/helper/memory', undefined],
  ['put', '/helper/memory', { content: 'Likes tea.' }],
];

describe('200', () => {
  it('lists agents page by page', async () => {
    const res = await send('get', '?limit=1&offset=4');
    expect([res.status, res.body]).toEqual([200, { agents: [agentJson], next_cursor: '5' }]);
    const { projectId } = harness.tenant;
    expect(asked).toEqual([{ method: 'listAgents', req: { limit: 1, offset: 4 }, projectId, customerId: '' }]);
  });

  it('returns the current or the named revision', async () => {
    const res = await send('get', '/helper');
    expect([res.status, res.body]).toEqual([200, { agent: agentJson }]);
    await send('get', '/helper?revision=1');
    expect(asked.map((call) => call.req)).toEqual([{ slug: 'helper' }, { slug: 'helper', revision: 1 }]);
  });

  it('lists revisions, without a cursor on the last page', async () => {
    const res = await send('get', '/helper/versions');
    expect([res.status, res.body]).toEqual([200, { versions: [agentJson.version] }]);
    expect(asked[0]?.req).toEqual({ slug: 'helper', limit: 50, offset: 0 });
  });

  it("reads and replaces the agent's own memory, and the one about a customer", async () => {
    const own = await send('get', '/helper/memory');
    expect([own.status, own.body]).toEqual([200, { memory: { content: 'Own.' } }]);
    const about = await send('get', `/helper/memory?customer_id=${customerId}`);
    expect(about.body).toEqual({ memory: { customer_id: customerId, content: 'Of the customer.' } });
    const body = { content: 'Likes tea.', customer_id: customerId };
    const written = await send('put', '/helper/memory', body);
    expect([written.status, written.body]).toEqual([200, { memory: body }]);
    expect(asked.at(-1)).toEqual({
      method: 'writeAgentMemory',
      req: { agentId: id, content: 'Likes tea.' },
      projectId: harness.tenant.projectId,
      customerId,
    });
  });

  it('changes only the fields of the body; null resets one to its default', async () => {
    const body = { slug: 'helper', expected_revision: 2, system: 'Help.', max_steps: 3, tools: null, unknown: 1 };
    const res = await send('patch', '/helper', body);
    expect([res.status, res.body]).toEqual([200, { agent: agentJson }]);
    expect(asked.at(-1)?.req).toMatchObject({
      slug: 'helper',
      expectedRevision: 2,
      updateMask: ['system', 'tools_json', 'max_steps'],
      values: { system: 'Help.', maxSteps: 3, toolsJson: '' },
    });
  });

  it('accepts an owner, even with the project id in capitals', async () => {
    const url = `/api/v1/projects/${harness.tenant.projectId.toUpperCase()}/agents`;
    const res = await request(harness.app).get(url).set('Authorization', `Bearer ${harness.tenant.ownerToken}`);
    expect([res.status, asked[0]?.projectId]).toEqual([200, harness.tenant.projectId]);
  });
});

describe('201', () => {
  it('creates an agent from every field', async () => {
    const tools = [{ definition: { type: 'function', function: { name: 'act', parameters: { z: 1, a: 2 } } } }];
    const nodes = [{ id: 'n', type: 'join.all' }];
    const fragments = { look: { inputs: [{ name: 'q' }], nodes, outputs: [{ name: 'o', from: 'n' }] } };
    const res = await send('post', '', {
      name: ' Helper ',
      slug: 'helper',
      description: 'Helps.',
      system: 'Help.',
      model: 'sandbox/echo-1',
      tools,
      fragments,
      max_steps: 1,
      max_duration_sec: 2,
      step_timeout_sec: 3,
      tool_failure_policy: 'retry',
      tool_retry_count: 0,
    });
    expect([res.status, res.body]).toEqual([201, { agent: agentJson }]);
    expect(asked[0]?.req).toMatchObject({
      slug: 'helper',
      values: {
        name: 'Helper',
        description: 'Helps.',
        system: 'Help.',
        model: 'sandbox/echo-1',
        toolsJson: JSON.stringify(tools),
        fragmentsJson: JSON.stringify(fragments),
        maxSteps: 1,
        maxDurationSec: 2,
        stepTimeoutSec: 3,
        toolFailurePolicy: 'retry',
        toolRetryCount: 0,
      },
    });
  });

  it('creates once for one Idempotency-Key', async () => {
    const create = () => send('post', '', { name: 'Helper', slug: 'helper' }).set('Idempotency-Key', 'k1');
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(asked).toHaveLength(1);
  });
});

describe('204', () => {
  it('deletes an agent', async () => {
    const res = await send('delete', '/helper');
    expect([res.status, res.text]).toEqual([204, '']);
    expect(asked[0]).toMatchObject({ method: 'deleteAgent', req: { slug: 'helper' } });
  });
});

describe('400', () => {
  const good = { name: 'Helper', slug: 'helper' };
  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { slug: 'helper' }, 'name'],
    ['post', '', { name: ' ', slug: 'helper' }, 'name'],
    ['post', '', { name: 'a\u0000b', slug: 'helper' }, 'name'],
    ['post', '', { name: 'Helper' }, 'slug'],
    ['post', '', { name: 'Helper', slug: 'not url safe' }, 'slug'],
    ['post', '', { ...good, max_steps: 0 }, 'max_steps'],
    ['post', '', { ...good, max_duration_sec: 1.5 }, 'max_duration_sec'],
    ['post', '', { ...good, step_timeout_sec: '60' }, 'step_timeout_sec'],
    ['post', '', { ...good, tool_failure_policy: 'pray' }, 'tool_failure_policy'],
    ['post', '', { ...good, tool_retry_count: -1 }, 'tool_retry_count'],
    ['post', '', { ...good, tools: {} }, 'tools'],
    ['post', '', { ...good, tools: [{}] }, 'tools[0]'],
    ['post', '', { ...good, tools: [{ hook_id: id }] }, 'tools[0]'],
    ['post', '', { ...good, tools: [{ definition: { type: 'magic' } }] }, 'tools[0].definition.type'],
    ['post', '', { ...good, tools: [{ fragment: { ref: 'f', inputs: { q: 'q' } } }] }, 'tools[0].fragment.inputs.q'],
    ['post', '', { ...good, fragments: { f: { outputs: [{ name: 'o' }] } } }, 'fragments.f.nodes'],
    ['patch', '/helper', { name: null }, 'name'],
    ['patch', '/helper', { expected_revision: 0 }, 'expected_revision'],
    ['patch', '/helper', { slug: 'other' }, 'slug'],
    ['get', '/helper?revision=0', undefined, 'revision'],
    ['get', '/helper?revision=one', undefined, 'revision'],
    ['get', '?limit=201', undefined, 'limit'],
    ['get', '?limit=0', undefined, 'limit'],
    ['get', '?offset=-1', undefined, 'offset'],
    ['get', '/helper/versions?limit=x', undefined, 'limit'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields.map((fault: { field: string }) => fault.field)).toContain(field);
    expect(asked).toEqual([]);
  });

  it.each<[Method, string]>([
    ['post', ''],
    ['patch', '/helper'],
  ])('rejects %s %s naming the unknown model and every unusable hook', async (method, path) => {
    const act = { hook_id: id, definition: { type: 'function', function: { name: 'act' } } };
    const web = { hook_id: id, definition: { type: 'web' } };
    hookFault = 'the tool hook is disabled';
    const res = await send(method, path, { ...good, model: 'example/missing', tools: [act, web] });
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields).toEqual([
      { field: 'model', message: 'unknown model example/missing' },
      { field: 'tools[0].hook_id', message: 'the tool hook is disabled' },
      { field: 'tools[1].hook_id', message: 'the provider runs web; a tool hook cannot' },
    ]);
    expect(asked).toEqual([]);
    hookFault = '';
    expect((await send(method, path, { ...good, tools: [act] })).status).toBeLessThan(300);
  });

  it('rejects a tool whose MCP server cannot be used', async () => {
    const tools = [{ mcp_server: 'notes' }, { mcp_server: 'gone' }];
    const res = await send('post', '', { ...good, tools });
    expect([res.status, res.body.fields]).toEqual([400, [{ field: 'tools[1].mcp_server', message: 'deleted' }]]);
    expect((await send('post', '', { ...good, tools: tools.slice(0, 1) })).status).toBe(201);
    const both = [{ mcp_server: 'notes', definition: { type: 'web' } }];
    expect((await send('post', '', { ...good, tools: both })).status).toBe(400);
  });

  it("passes on the registry's errors", async () => {
    const fields = [{ field: 'tools[0].fragment.ref', message: 'refers to an unknown fragment: x' }];
    refuseWith(new AppError('VALIDATION_ERROR', 'tools[0].fragment.ref refers to an unknown fragment: x', { fields }));
    const res = await send('post', '', { ...good, tools: [{ fragment: { ref: 'x' } }] });
    expect([res.status, res.body.code, res.body.fields]).toEqual([400, 'VALIDATION_ERROR', fields]);
  });
});

describe('404', () => {
  it.each(endpoints)('rejects %s %s with the credentials of another account', async (method, path, body) => {
    for (const credential of [harness.stranger.secretKey, harness.stranger.ownerToken]) {
      const res = await send(method, path, body, credential);
      expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect(asked).toEqual([]);
  });

  it('reports an agent that the registry does not know', async () => {
    refuseWith(new AppError('NOT_FOUND', 'agent not found'));
    const res = await send('get', '/nobody');
    expect([res.status, res.body.code, res.body.message]).toEqual([404, 'NOT_FOUND', 'agent not found']);
  });

  it('reports an invalid project id', async () => {
    const url = '/api/v1/projects/mine/agents';
    const res = await request(harness.app).get(url).set('Authorization', `Bearer ${harness.tenant.secretKey}`);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('405', () => {
  it('lists the allowed methods', async () => {
    const res = await request(harness.app).put(`/api/v1/projects/${harness.tenant.projectId}/agents/helper`);
    expect([res.status, res.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(res.headers.allow).toBe('DELETE, GET, HEAD, PATCH');
  });
});

describe('409', () => {
  it.each<[Method, string, object]>([
    ['post', '', { name: 'Helper', slug: 'helper' }],
    ['patch', '/helper', { name: 'Helper', expected_revision: 1 }],
  ])('reports a conflict of %s %s', async (method, path, body) => {
    refuseWith(new AppError('CONFLICT', 'no'));
    const res = await send(method, path, body);
    expect([res.status, res.body]).toEqual([
      409,
      expect.objectContaining({ error: 'api_error', code: 'CONFLICT', layer: 'request', retryable: false }),
    ]);
  });
});
