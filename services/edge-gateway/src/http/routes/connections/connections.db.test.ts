import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { connectionResponse, listConnectionsResponse, testConnectionResponse } from '@tollgate/api/connections';
import { ConnectionService } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { connectionRouter } from './index.js';

const SECRET = 'sk-ant-0123456789';
const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const entry = {
  preset: 'anthropic',
  keys: [{ last_four: '6789', weight: 1 }],
  header_names: ['x-team'],
};
const connection = {
  id,
  projectId: id,
  name: 'mine',
  mode: OwnConnections.PREFER,
  entryJson: JSON.stringify(entry),
  models: [{ modelId: 'sandbox/echo-1', upstreamModel: 'claude' }],
  version: 3,
  createdAt: at,
  updatedAt: at,
};
const json = {
  id,
  project_id: id,
  name: 'mine',
  mode: 'prefer',
  ...entry,
  models: [{ model: 'sandbox/echo-1', upstream_model: 'claude' }],
  created_at: time,
  updated_at: time,
};
const good = {
  name: 'mine',
  preset: 'anthropic',
  keys: [{ secret: SECRET }],
  headers: { 'x-team': 'blue' },
  models: [{ model: 'echo-1', upstream_model: 'claude' }],
};

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
let test: object;
const peers = [
  recordedPeer(ConnectionService, {
    createConnection: { connection },
    getConnection: { connection },
    listConnections: { connections: [connection, connection], hasMore: true },
    updateConnection: { connection },
    deleteConnection: {},
  }),
  recordedPeer(InferenceService, { testConnection: () => test }),
];
const { harness, send } = useRoutes(import.meta.url, [connectionRouter], peers, {
  path: ({ projectId }) => `/projects/${projectId}/connections`,
  credential: 'ownerToken',
});
beforeEach(() => {
  test = { succeeded: true, latencyMs: 12 };
});

const endpoints: Endpoint[] = [
  ['get', '', undefined],
  ['post', '', good],
  ['get', `/${id}`, undefined],
  ['patch', `/${id}`, { mode: 'only' }],
  ['delete', `/${id}`, undefined],
  ['post', `/${id}/test`, undefined],
];

describe('200', () => {
  it('lists connections in pages', async () => {
    const res = await send('get', '?limit=2&offset=4');
    expect([res.status, res.body]).toEqual([200, { connections: [json, json], next_cursor: '6' }]);
    listConnectionsResponse.parse(res.body);
  });

  it('returns a connection without its secrets', async () => {
    const res = await send('get', `/${id}`);
    expect([res.status, res.body]).toEqual([200, { connection: json }]);
    connectionResponse.parse(res.body);
  });

  it('asks the vendor with the stored secrets before it stores a change, and keeps what is absent', async () => {
    const res = await send('patch', `/${id}`, { timeouts: { idle_ms: 5 }, keys: [{ secret: SECRET }] });
    expect(res.status).toBe(200);
    const [, tried, updated] = asked.map(({ req }) => req as Record<string, string>);
    const after = { ...entry, timeouts: { idle_ms: 5 } };
    const secretsJson = JSON.stringify({ keys: [{ secret: SECRET }] });
    expect(tried).toMatchObject({ connectionId: id, secretsJson, upstreamModel: 'claude' });
    expect(updated).toMatchObject({ id, version: 3, name: 'mine', mode: OwnConnections.PREFER, secretsJson });
    expect(JSON.parse(updated!.entryJson!)).toEqual(after);
  });

  it('changes the mode without asking the vendor', async () => {
    test = { succeeded: false, message: 'no' };
    expect((await send('patch', `/${id}`, { mode: 'only' })).status).toBe(200);
    expect(asked.at(-1)!.req).toMatchObject({ mode: OwnConnections.ONLY, secretsJson: '' });
  });

  it('reports failed and successful tests with the same fields', async () => {
    const succeeded = await send('post', `/${id}/test`);
    expect(succeeded.body).toEqual({ status: 'success', response_status: null, latency_ms: 12, error: null });
    test = { succeeded: false, status: 401, message: 'invalid x-api-key', latencyMs: 7 };
    const failed = await send('post', `/${id}/test`);
    expect(failed.body).toEqual({ status: 'error', response_status: 401, latency_ms: 7, error: 'invalid x-api-key' });
    testConnectionResponse.parse(failed.body);
  });
});

describe('201', () => {
  it('asks the vendor, then stores the settings apart from the secrets', async () => {
    const res = await send('post', '', good);
    expect([res.status, res.body]).toEqual([201, { connection: json }]);
    const [tried, stored] = asked.map(({ req }) => req as Record<string, string>);
    const secretsJson = JSON.stringify({ keys: [{ secret: SECRET }], headers: { 'x-team': 'blue' } });
    const models = [{ modelId: 'sandbox/echo-1', upstreamModel: 'claude' }];
    expect(tried).toMatchObject({ connectionId: '', name: 'mine', secretsJson, modelId: 'sandbox/echo-1' });
    expect(stored).toMatchObject({ name: 'mine', mode: OwnConnections.PREFER, models, secretsJson });
    expect(JSON.parse(stored!.entryJson!)).toEqual(entry);
    expect(JSON.stringify(res.body)).not.toContain(SECRET);
  });
});

it('answers 204 to a deletion', async () => {
  const res = await send('delete', `/${id}`);
  expect([res.status, res.text]).toEqual([204, '']);
});

it('records who added, changed and deleted a connection, without secrets', async () => {
  await harness.ctx.pool.query('DELETE FROM audit_events');
  for (const [method, path, body] of endpoints) await send(method, path, body);
  const { rows: events } = await harness.ctx.pool.query('SELECT * FROM audit_events ORDER BY at');
  const { projectId } = harness.tenant;
  expect(events).toMatchObject(
    ['created', 'updated', 'deleted'].map((what) => {
      return { action: `connection.${what}`, actor_kind: 'user', project_id: projectId, subject_id: id };
    }),
  );
  expect(JSON.stringify(events)).not.toContain(SECRET);
});

describe('400', () => {
  it.each([{ base_url: 'https://a.example' }, { preset: 'openai' }, { auth: { type: 'none' } }])(
    'sends stored secrets to no other server: %j',
    async (change) => {
      const keys = [{ secret: SECRET }];
      const headers = { 'x-team': 'red' };
      const missing = [];
      for (const given of [{}, { headers }, { keys }]) {
        const res = await send('patch', `/${id}`, { ...change, ...given });
        expect(res.status).toBe(400);
        missing.push(res.body.fields.map(({ field }: { field: string }) => field));
      }
      expect(missing).toEqual([['keys', 'headers'], ['keys'], ['headers']]);
      expect(asked.filter(({ req }) => 'entryJson' in (req as object))).toEqual([]);
      expect((await send('patch', `/${id}`, { ...change, keys, headers })).status).toBe(200);
    },
  );

  it('quotes the vendor, and stores nothing', async () => {
    test = { succeeded: false, status: 401, message: 'api.anthropic.com answered 401: invalid x-api-key' };
    const res = await send('post', '', good);
    expect([res.status, res.body.message]).toEqual([
      400,
      'the connection does not work: api.anthropic.com answered 401: invalid x-api-key',
    ]);
    expect(asked).toHaveLength(1);
  });

  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { ...good, name: 7 }, 'name'],
    ['post', '', { ...good, mode: 'never' }, 'mode'],
    ['post', '', { ...good, keys: [] }, 'keys'],
    ['post', '', { ...good, keys: [{ secret: '' }] }, 'keys[0].secret'],
    ['post', '', { ...good, keys: [{ secret: 'x', weight: 0 }] }, 'keys[0].weight'],
    ['post', '', { ...good, models: [] }, 'models'],
    ['post', '', { ...good, unknown: 1 }, 'unknown'],
    ['post', '', { ...good, models: [{ model: 'nothing' }] }, 'models[0].model: nothing is unknown'],
    ['post', '', { ...good, models: [{ model: 'echo-1', upstream_model: 'a\0' }] }, 'models[0].upstream_model'],
    ['post', '', { ...good, models: [{ model: 'echo-1', upstream_model: '\ud800' }] }, 'models[0].upstream_model'],
    ['patch', `/${id}`, { auth: { type: 'header', name: '\0' } }, 'auth.name'],
    ['patch', `/${id}`, { keys: [{ secret: SECRET, id: '\ud800' }] }, 'keys[0].id'],
    ['patch', `/${id}`, { timeouts: { idle_ms: 0 } }, 'timeouts.idle_ms'],
    ['get', '?limit=0', undefined, 'limit'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, named) => {
    const res = await send(method, path, body);
    expect([res.status, JSON.stringify(res.body)]).toEqual([400, expect.stringContaining(named)]);
    expect(asked.filter(({ req }) => 'entryJson' in (req as object))).toEqual([]);
  });
});

describe.each(endpoints)('%s %s', (method, path, body) => {
  it('answers 401 without a credential', async () => {
    expect((await send(method, path, body, '')).status).toBe(401);
    expect(asked).toEqual([]);
  });

  it('answers 403 to keys and customers', async () => {
    const { secretKey, publishableKey, customerToken } = harness.tenant;
    for (const credential of [secretKey, publishableKey, customerToken]) {
      expect((await send(method, path, body, credential)).status).toBe(403);
    }
    expect(asked).toEqual([]);
  });

  it("answers 404 in another owner's project", async () => {
    const res = await send(method, path, body, harness.stranger.ownerToken);
    expect([res.status, asked]).toEqual([404, []]);
  });
});

it('answers 409 to a change that another one has overtaken', async () => {
  refuseWith(new AppError('CONFLICT', 'the connection has changed in the meantime; read it again'));
  expect((await send('patch', `/${id}`, { mode: 'only' })).status).toBe(409);
});
