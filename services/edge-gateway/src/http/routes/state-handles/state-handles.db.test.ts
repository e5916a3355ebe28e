import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { AppError } from '@tollgate/errors';
import { type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { stateHandleRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const id = randomUUID();
const plain = { id, projectId: id, createdAt: at };
const plainJson = { id, project_id: id, created_at: '2030-01-01T00:00:00.000Z' };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const registry = recordedPeer(StateService, {
  createStateHandle: { handle: { ...plain, customerId: id, expiresAt: at } },
  listStateHandles: { handles: [plain], hasMore: true },
  getStateHandle: {
    handle: plain,
    values: { 'plan/name': 'Pro' },
    tasksJson: '[{"content":"Ask","status":"pending"}]',
  },
  deleteStateHandle: {},
});

const { harness, send } = useRoutes(import.meta.url, [stateHandleRouter], [registry], {
  path: () => '/state-handles',
  credential: 'secretKey',
});
describe('200', () => {
  it('returns a handle with what tools have stored', async () => {
    const { status, body } = await send('get', `/${id}`);
    const tasks = [{ content: 'Ask', status: 'pending' }];
    expect([status, body]).toEqual([200, { state_handle: plainJson, kv: { 'plan/name': 'Pro' }, tasks }]);
    expect(asked[0]?.req).toEqual({ id });
  });

  it('lists handles page by page', async () => {
    const res = await send('get', '?limit=1&offset=2');
    expect([res.status, res.body]).toEqual([200, { state_handles: [plainJson], next_cursor: '3' }]);
    expect(asked[0]?.req).toEqual({ limit: 1, offset: 2 });
  });

  it("passes on the caller's principal: key, owner or customer", async () => {
    const { secretKey, ownerToken, customerToken, projectId, customerId } = harness.tenant;
    for (const credential of [secretKey, ownerToken, customerToken]) await send('get', '', undefined, credential);
    expect(asked.map((call) => [call.projectId, call.customerId])).toEqual([
      [projectId, ''],
      [projectId, ''],
      [projectId, customerId],
    ]);
  });
});

describe('201', () => {
  it.each<[object | undefined, object]>([
    [undefined, {}],
    [{}, {}],
    [{ ttl_seconds: null }, {}],
    [{ ttl_seconds: 31_536_000 }, { ttlSeconds: 31_536_000 }],
  ])('creates a handle from %j', async (body, req) => {
    const res = await send('post', '', body);
    const json = { ...plainJson, customer_id: id, expires_at: '2030-01-01T00:00:00.000Z' };
    expect([res.status, res.body]).toEqual([201, json]);
    expect(asked[0]?.req).toEqual(req);
  });
});

describe('204', () => {
  it('deletes a handle', async () => {
    const res = await send('delete', `/${id}`);
    expect([res.status, res.text, asked[0]?.req]).toEqual([204, '', { id }]);
  });
});

describe('400', () => {
  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { ttl_seconds: 0 }, 'ttl_seconds'],
    ['post', '', { ttl_seconds: 31_536_001 }, 'ttl_seconds'],
    ['post', '', { ttl_seconds: 1.5 }, 'ttl_seconds'],
    ['post', '', { ttl_seconds: '60' }, 'ttl_seconds'],
    ['get', '?limit=101', undefined, 'limit'],
    ['get', '?limit=0', undefined, 'limit'],
    ['get', '?offset=x', undefined, 'offset'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields).toEqual([expect.objectContaining({ field })]);
    expect(asked).toEqual([]);
  });
});

describe('404', () => {
  it('reports an unknown, deleted or foreign handle', async () => {
    refuseWith(new AppError('NOT_FOUND', 'state handle not found'));
    const res = await send('delete', `/${id}`);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
