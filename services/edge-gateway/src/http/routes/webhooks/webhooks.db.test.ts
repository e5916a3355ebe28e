import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import {
  listWebhookEventsResponse,
  listWebhooksResponse,
  testWebhookResponse,
  webhookRecoveryResponse,
  webhookResponse,
  webhookStatisticsResponse,
} from '@tollgate/api/hooks';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { describeOtherCallers } from '../../../testing/describe-other-callers.js';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { webhookRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const webhook = {
  id,
  projectId: id,
  endpointUrl: 'https://example.com/hook',
  events: ['request.completed'],
  enabled: true,
  signatureForm: 'body',
  retrySchedule: 'standard',
  createdAt: at,
  updatedAt: at,
};
const webhookJson = {
  id,
  project_id: id,
  endpoint_url: 'https://example.com/hook',
  enabled: true,
  events: ['request.completed'],
  signature_form: 'body',
  retry_schedule: 'standard',
  created_at: time,
  updated_at: time,
};
const delivery = {
  id,
  webhookId: id,
  eventType: 'request.completed',
  eventId: id,
  payload: Buffer.from('{"event_type":"request.completed","data":{"n":1}}'),
  status: 'failed',
  attemptCount: 1,
  responseStatus: 400,
  latencyMs: 0,
  error: 'endpoint answered 400',
  attempts: [{ attempt: 1, outcome: 'failed', responseStatus: 400, latencyMs: 0, error: 'x', startedAt: at }],
  createdAt: at,
  updatedAt: at,
};
const deliveryJson = {
  id,
  webhook_config_id: id,
  event_type: 'request.completed',
  event_id: id,
  payload: { event_type: 'request.completed', data: { n: 1 } },
  status: 'failed',
  attempt_count: 1,
  response_status: 400,
  latency_ms: 0,
  error: 'endpoint answered 400',
  attempts: [{ attempt: 1, outcome: 'failed', response_status: 400, latency_ms: 0, error: 'x', started_at: time }],
  created_at: time,
  updated_at: time,
};
const figures = { pending: 1n, delivered: 9n, failed: 3n, latencyP50Ms: 0, latencyP95Ms: 40, latencyP99Ms: 70 };
const figuresJson = {
  deliveries: { pending: 1, processing: 0, delivered: 9, failed: 3 },
  success_rate: 0.75,
  latency_ms: { p50: 0, p95: 40, p99: 70 },
};
const recovery = { id, webhookId: id, since: at, status: 'running', requeued: 500, remaining: 7, startedAt: at };
const recoveryJson = {
  id,
  webhook_id: id,
  since: time,
  status: 'running',
  requeued: 500,
  remaining: 7,
  started_at: time,
};
const good = { endpoint_url: 'https://example.com/hook', events: ['request.completed'] };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
let testAnswer: object;
const hooks = recordedPeer(HookService, {
  createWebhook: { webhook: { ...webhook, signingSecret: 'whsec_x' } },
  getWebhook: { webhook: { ...webhook, enabled: false, disabledReason: 'gone' } },
  listWebhooks: { webhooks: [webhook, webhook], hasMore: true },
  updateWebhook: { webhook },
  deleteWebhook: {},
  testWebhook: () => testAnswer,
  listWebhookDeliveries: { deliveries: [delivery], hasMore: false },
  redeliverWebhookDelivery: { delivery },
  getWebhookStatistics: {
    total: figures,
    intervals: [
      { ...figures, at },
      { pending: 2n, at },
    ],
  },
  recoverWebhook: { recovery },
  getWebhookRecovery: { recovery: { ...recovery, status: 'completed', endedAt: at } },
});

const { harness, send } = useRoutes(import.meta.url, [webhookRouter], [hooks], {
  path: ({ projectId }) => `/projects/${projectId}/webhooks`,
  credential: 'ownerToken',
});

const endpoints: Endpoint[] = [
  ['get', '', undefined],
  ['post', '', good],
  ['get', `/${id}`, undefined],
  ['put', `/${id}`, good],
  ['delete', `/${id}`, undefined],
  ['post', `/${id}/test`, {}],
  ['get', `/${id}/events`, undefined],
  ['post', `/${id}/events/${id}/redeliver`, undefined],
  ['get', `/${id}/statistics`, undefined],
  ['post', `/${id}/recover`, { since: time }],
  ['get', `/${id}/recoveries/${id}`, undefined],
];

describe('200', () => {
  it('lists webhooks in pages', async () => {
    const res = await send('get', '?limit=2&offset=4');
    expect([res.status, res.body]).toEqual([200, { webhooks: [webhookJson, webhookJson], next_cursor: '6' }]);
    expect(asked).toMatchObject([{ req: { limit: 2, offset: 4 }, projectId: harness.tenant.projectId }]);
    listWebhooksResponse.parse(res.body);
  });

  it('returns a webhook and why it is disabled', async () => {
    const res = await send('get', `/${id}`);
    const expected = { webhook: { ...webhookJson, enabled: false, disabled_reason: 'gone' } };
    expect([res.status, res.body]).toEqual([200, expected]);
    webhookResponse.parse(res.body);
  });

  it('updates the given fields', async () => {
    const res = await send('put', `/${id}`, { ...good, enabled: false, rotate_secret: true, retry_schedule: 'fast' });
    expect([res.status, res.body]).toEqual([200, { webhook: webhookJson }]);
    const { endpoint_url: endpointUrl, events } = good;
    expect(asked[0]?.req).toMatchObject({
      webhookId: id,
      endpointUrl,
      events,
      enabled: false,
      rotateSecret: true,
      retrySchedule: 'fast',
    });
    expect(asked[0]?.req).not.toHaveProperty('signatureForm');
  });

  it('reports failed and successful tests with the same fields', async () => {
    testAnswer = { status: 'failed', latencyMs: 12, error: 'connection refused' };
    const failed = await send('post', `/${id}/test`);
    expect([failed.status, failed.body]).toEqual([
      200,
      { status: 'failed', response_status: null, response_body: '', latency_ms: 12, error: 'connection refused' },
    ]);
    testAnswer = { status: 'delivered', responseStatus: 200, responseBody: 'ok', latencyMs: 0 };
    const delivered = await send('post', `/${id}/test`, { event_type: 'customer.created' });
    expect([delivered.status, delivered.body]).toEqual([
      200,
      { status: 'delivered', response_status: 200, response_body: 'ok', latency_ms: 0, error: null },
    ]);
    expect(asked.map(({ req }) => (req as { eventType: string }).eventType)).toEqual(['', 'customer.created']);
    testWebhookResponse.parse(delivered.body);
  });

  it('shows the delivery log', async () => {
    const res = await send('get', `/${id}/events?status=failed&event_type=request.completed&limit=1`);
    expect([res.status, res.body]).toEqual([200, { events: [deliveryJson] }]);
    expect(asked[0]?.req).toMatchObject({ limit: 1, offset: 0, status: 'failed', eventType: 'request.completed' });
    await send('get', `/${id}/events`);
    expect(asked[1]?.req).toMatchObject({ limit: 50, offset: 0, status: '', eventType: '' });
    listWebhookEventsResponse.parse(res.body);
  });

  it('repeats a delivery by its id', async () => {
    const deliveryId = randomUUID();
    const res = await send('post', `/${id}/events/${deliveryId}/redeliver`);
    expect([res.status, res.body]).toEqual([200, { event: deliveryJson }]);
    expect(asked[0]?.req).toMatchObject({ webhookId: id, deliveryId });
  });

  it('shows statistics of a range, by default of the last day or month', async () => {
    const res = await send('get', `/${id}/statistics?from=2029-12-01&to=${time}&interval=day`);
    const none = { ...figuresJson.deliveries, pending: 2, delivered: 0, failed: 0 };
    expect([res.status, res.body]).toEqual([
      200,
      {
        ...{ from: '2029-12-01T00:00:00.000Z', to: time, interval: 'day', total: figuresJson },
        intervals: [
          { at: time, ...figuresJson },
          { at: time, deliveries: none, success_rate: null, latency_ms: {} },
        ],
      },
    ]);
    expect(asked[0]?.req).toMatchObject({ webhookId: id, interval: 'day', to: at });
    for (const [interval, hours] of [
      ['hour', 24],
      ['day', 720],
    ] as const) {
      const { body } = await send('get', `/${id}/statistics?interval=${interval}`);
      const { from, to } = webhookStatisticsResponse.parse(body);
      expect(Date.parse(to) - Date.parse(from)).toBe(hours * 3_600_000);
    }
  });

  it('shows the progress of a recovery', async () => {
    const { status, body } = await send('get', `/${id}/recoveries/${id}`);
    expect([status, webhookRecoveryResponse.parse(body)]).toEqual([
      200,
      { recovery: { ...recoveryJson, status: 'completed', ended_at: time } },
    ]);
    expect(asked[0]?.req).toMatchObject({ webhookId: id, recoveryId: id });
  });
});

describe('202', () => {
  it('starts a recovery since a time', async () => {
    const { status, body } = await send('post', `/${id}/recover`, { since: '2030-01-01T01:00:00+01:00' });
    expect([status, webhookRecoveryResponse.parse(body)]).toEqual([202, { recovery: recoveryJson }]);
    expect(asked[0]?.req).toMatchObject({ webhookId: id, since: at });
  });
});

describe('201', () => {
  it.each(['timestamped', 'standard'])(
    'creates a webhook that signs in the form %s and shows its secret',
    async (form) => {
      const res = await send('post', '', { ...good, enabled: null, signature_form: form });
      expect([res.status, res.body]).toEqual([201, { webhook: { ...webhookJson, signing_secret: 'whsec_x' } }]);
      expect(asked[0]?.req).toMatchObject({ signatureForm: form });
      expect(asked[0]?.req).not.toHaveProperty('enabled', expect.anything());
      webhookResponse.parse(res.body);
    },
  );
});

describe('204', () => {
  it('deletes a webhook', async () => {
    const res = await send('delete', `/${id}`);
    expect([res.status, res.text]).toEqual([204, '']);
  });
});

describe('the audit log', () => {
  it('records who created, changed, deleted and recovered a webhook', async () => {
    await harness.ctx.pool.query('DELETE FROM audit_events');
    for (const [method, path, body] of endpoints) await send(method, path, body);
    const { rows: events } = await harness.ctx.pool.query('SELECT * FROM audit_events ORDER BY at');
    const { projectId } = harness.tenant;
    expect(events).toMatchObject(
      ['created', 'updated', 'deleted', 'recovered'].map((what) => {
        return { action: `webhook.${what}`, actor_kind: 'user', project_id: projectId, subject_id: id };
      }),
    );
  });
});

describe('400', () => {
  it('passes on missing fields as plain text', async () => {
    refuseWith(new AppError('VALIDATION_ERROR', 'endpoint_url required'));
    const res = await send('post', '', {});
    expect([res.status, res.body]).toEqual([400, { error: 'endpoint_url required' }]);
    expect(asked[0]?.req).toMatchObject({ endpointUrl: '', events: [] });
  });

  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { ...good, endpoint_url: 7 }, 'endpoint_url'],
    ['post', '', { ...good, events: 'request.completed' }, 'events'],
    ['put', `/${id}`, { ...good, enabled: 'yes' }, 'enabled'],
    ['put', `/${id}`, { ...good, rotate_secret: 1 }, 'rotate_secret'],
    ['post', `/${id}/test`, { event_type: 1 }, 'event_type'],
    ['get', '?limit=0', undefined, 'limit'],
    ['get', `/${id}/events?limit=201`, undefined, 'limit'],
    ['get', `/${id}/events?offset=-1`, undefined, 'offset'],
    ['get', `/${id}/events?status=lost`, undefined, 'status'],
    ['get', `/${id}/events?event_type=lost`, undefined, 'event_type'],
    ['get', `/${id}/statistics?interval=week`, undefined, 'interval'],
    ['get', `/${id}/statistics?from=x`, undefined, 'from'],
    ['post', `/${id}/recover`, {}, 'since'],
    ['post', `/${id}/recover`, { since: '2026-11-23' }, 'since'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect(res.status).toBe(400);
    expect(res.body).toEqual({ error: expect.stringContaining(field) });
    expect(asked).toEqual([]);
  });
});

describe('405', () => {
  it('lists the allowed methods in the error format of the endpoint', async () => {
    const res = await request(harness.app).patch(`/api/v1/projects/${harness.tenant.projectId}/webhooks/${id}`);
    expect([res.status, res.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PUT']);
    expect(res.body).toEqual({ error: 'this endpoint allows DELETE, GET, HEAD, PUT' });
  });
});

describeOtherCallers({ harness, send, asked, refuseWith }, endpoints, 'webhook not found');
