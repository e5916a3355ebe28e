import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createToolHookResponse,
  listToolHookEventsResponse,
  listToolHooksResponse,
  testToolHookResponse,
  toolHookResponse,
  updateToolHookResponse,
} from '@tollgate/api/hooks';
import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { AppError } from '@tollgate/errors';
import { describeOtherCallers } from '../../../testing/describe-other-callers.js';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { toolHookRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const hook = {
  id,
  projectId: id,
  hookType: 'pre_tool_use',
  endpointUrl: 'https://example.com/hook',
  enabled: true,
  timeoutMs: 5_000,
  failBehavior: 'fail_closed',
  toolsAllowlist: ['kv.write'],
  allowMutation: false,
  createdAt: at,
  updatedAt: at,
};
const hookJson = {
  id,
  project_id: id,
  hook_type: 'pre_tool_use',
  endpoint_url: 'https://example.com/hook',
  enabled: true,
  timeout_ms: 5_000,
  fail_behavior: 'fail_closed',
  tools_allowlist: ['kv.write'],
  allow_mutation: false,
  created_at: time,
  updated_at: time,
};
const event = {
  id,
  hookConfigId: id,
  requestId: 'r',
  toolCallId: 'c',
  status: 'timeout',
  latencyMs: 5_000,
  error: 'no complete answer within 5000 ms',
  createdAt: at,
};
const eventJson = {
  id,
  hook_config_id: id,
  request_id: 'r',
  tool_call_id: 'c',
  status: 'timeout',
  response_body: '',
  latency_ms: 5_000,
  error: 'no complete answer within 5000 ms',
  created_at: time,
};
const good = { hook_type: 'pre_tool_use', endpoint_url: 'https://example.com/hook' };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
let testAnswer: object;
let secret = '';
const hooks = recordedPeer(ToolHookService, {
  createToolHook: { hook, signingSecret: 'thsec_x' },
  getToolHook: { hook },
  listToolHooks: { hooks: [hook, hook], hasMore: true },
  updateToolHook: () => ({ hook, signingSecret: secret }),
  deleteToolHook: {},
  testToolHook: () => testAnswer,
  listToolHookEvents: { events: [event], hasMore: false },
});

const { harness, send } = useRoutes(import.meta.url, [toolHookRouter], [hooks], {
  path: ({ projectId }) => `/projects/${projectId}/tool-hooks`,
  credential: 'ownerToken',
});
beforeEach(() => {
  secret = '';
  testAnswer = { status: 'success', responseStatus: 200, responseBody: 'ok', latencyMs: 3 };
});

const endpoints: Endpoint[] = [
  ['get', '', undefined],
  ['post', '', good],
  ['get', `/${id}`, undefined],
  ['put', `/${id}`, {}],
  ['delete', `/${id}`, undefined],
  ['post', `/${id}/test`, undefined],
  ['get', `/${id}/events`, undefined],
];

describe('200', () => {
  it('lists hooks in pages', async () => {
    const res = await send('get', '?limit=2&offset=4');
    expect([res.status, res.body]).toEqual([200, { hooks: [hookJson, hookJson], next_cursor: '6' }]);
    expect(asked).toMatchObject([{ req: { limit: 2, offset: 4 }, projectId: harness.tenant.projectId }]);
    listToolHooksResponse.parse(res.body);
  });

  it('returns a hook without its secret', async () => {
    const res = await send('get', `/${id}`);
    expect([res.status, res.body]).toEqual([200, { hook: hookJson }]);
    toolHookResponse.parse(res.body);
  });

  it('updates only the given fields', async () => {
    const res = await send('put', `/${id}`, { timeout_ms: 900, tools_allowlist: [], enabled: false });
    expect([res.status, res.body]).toEqual([200, { hook: hookJson }]);
    const { req } = asked[0]!;
    expect(req).toMatchObject({ id, timeoutMs: 900, toolsAllowlist: { tools: [] }, enabled: false });
    expect(req).toMatchObject({ rotateSecret: false });
    for (const field of ['endpointUrl', 'failBehavior', 'allowMutation']) {
      expect(req).not.toHaveProperty(field, expect.anything());
    }
    updateToolHookResponse.parse(res.body);
  });

  it('returns a rotated secret', async () => {
    secret = 'thsec_new';
    const res = await send('put', `/${id}`, { rotate_secret: true });
    expect([res.status, res.body]).toEqual([200, { hook: hookJson, signing_secret: 'thsec_new' }]);
    expect(asked[0]?.req).toMatchObject({ rotateSecret: true });
  });

  it('reports failed and successful tests with the same fields', async () => {
    const succeeded = await send('post', `/${id}/test`);
    expect([succeeded.status, succeeded.body]).toEqual([
      200,
      { status: 'success', response_status: 200, response_body: 'ok', latency_ms: 3, error: null },
    ]);
    testAnswer = { status: 'timeout', latencyMs: 12, error: 'too late' };
    const failed = await send('post', `/${id}/test`, {});
    expect([failed.status, failed.body]).toEqual([
      200,
      { status: 'timeout', response_status: null, response_body: '', latency_ms: 12, error: 'too late' },
    ]);
    testToolHookResponse.parse(failed.body);
  });

  it('lists the calls of a hook', async () => {
    const res = await send('get', `/${id}/events?limit=1`);
    expect([res.status, res.body]).toEqual([200, { events: [eventJson] }]);
    await send('get', `/${id}/events`);
    expect(asked.map(({ req }) => req)).toMatchObject([
      { id, limit: 1, offset: 0 },
      { limit: 50, offset: 0 },
    ]);
    listToolHookEventsResponse.parse(res.body);
  });
});

describe('201', () => {
  it('creates a hook and returns its secret', async () => {
    const res = await send('post', '', { ...good, allow_mutation: null, tools_allowlist: ['a'], timeout_ms: 7 });
    expect([res.status, res.body]).toEqual([201, { hook: hookJson, signing_secret: 'thsec_x' }]);
    expect(asked[0]?.req).toMatchObject({ hookType: 'pre_tool_use', toolsAllowlist: ['a'], timeoutMs: 7 });
    expect(asked[0]?.req).not.toHaveProperty('allowMutation', expect.anything());
    createToolHookResponse.parse(res.body);
  });
});

describe('204', () => {
  it('deletes a hook', async () => {
    const res = await send('delete', `/${id}`);
    expect([res.status, res.text]).toEqual([204, '']);
  });
});

describe('the audit log', () => {
  it('records who created, changed and deleted a hook', async () => {
    await harness.ctx.pool.query('DELETE FROM audit_events');
    for (const [method, path, body] of endpoints) await send(method, path, body);
    const { rows: events } = await harness.ctx.pool.query('SELECT * FROM audit_events ORDER BY at');
    const { projectId } = harness.tenant;
    expect(events).toMatchObject(
      ['created', 'updated', 'deleted'].map((what) => {
        return { action: `tool_hook.${what}`, actor_kind: 'user', project_id: projectId, subject_id: id };
      }),
    );
  });
});

describe('400', () => {
  it('passes on missing fields as plain text', async () => {
    refuseWith(new AppError('VALIDATION_ERROR', 'hook_type required'));
    const res = await send('post', '', {});
    expect([res.status, res.body]).toEqual([400, { error: 'hook_type required' }]);
    expect(asked[0]?.req).toMatchObject({ hookType: '', endpointUrl: '' });
  });

  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { ...good, hook_type: 7 }, 'hook_type'],
    ['post', '', { ...good, endpoint_url: 7 }, 'endpoint_url'],
    ['post', '', { ...good, timeout_ms: '7' }, 'timeout_ms'],
    ['post', '', { ...good, timeout_ms: 1.5 }, 'timeout_ms'],
    ['post', '', { ...good, timeout_ms: 1e12 }, 'timeout_ms'],
    ['post', '', { ...good, tools_allowlist: 'x' }, 'tools_allowlist'],
    ['post', '', { ...good, allow_mutation: 'yes' }, 'allow_mutation'],
    ['put', `/${id}`, { enabled: 'yes' }, 'enabled'],
    ['put', `/${id}`, { fail_behavior: 1 }, 'fail_behavior'],
    ['put', `/${id}`, { rotate_secret: 1 }, 'rotate_secret'],
    ['get', '?limit=0', undefined, 'limit'],
    ['get', `/${id}/events?limit=201`, undefined, 'limit'],
    ['get', `/${id}/events?offset=-1`, undefined, 'offset'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect(res.status).toBe(400);
    expect(res.body).toEqual({ error: expect.stringContaining(field) });
    expect(asked).toEqual([]);
  });
});

describeOtherCallers({ harness, send, asked, refuseWith }, endpoints, 'tool hook not found');

describe('500', () => {
  it('hides the details of an internal error', async () => {
    refuseWith(new Error('a detail of ours'));
    for (const [method, path, body] of endpoints) {
      const res = await send(method, path, body);
      expect([res.status, res.body]).toEqual([500, { error: 'internal server error' }]);
    }
  });
});
