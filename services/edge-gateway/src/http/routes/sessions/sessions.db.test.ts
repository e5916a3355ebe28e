import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer } from '../../../testing/route-test.js';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { sessionRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const knownCustomer = randomUUID();
const session = {
  id,
  projectId: id,
  customerId: '',
  metadataJson: '{"a":1}',
  messageCount: 2,
  createdAt: at,
  updatedAt: at,
};
const sessionJson = { id, project_id: id, metadata: { a: 1 }, message_count: 2, created_at: time, updated_at: time };
const message = { id, seq: 1, role: 'user', contentJson: '"hi"', runId: '', createdAt: at };
const messageJson = { id, seq: 1, role: 'user', content: 'hi', created_at: time };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const registry = recordedPeer(SessionService, {
  createSession: { session: { ...session, customerId: id } },
  getSession: {
    session,
    messages: [message, { ...message, seq: 2, runId: id, contentJson: '[{"type":"x"}]' }],
  },
  listSessions: { sessions: [session], hasMore: true },
  updateSession: { session },
  deleteSession: {},
  appendSessionMessage: { message },
  clearSession: { session: { ...session, messageCount: 0 } },
});

const billing = peer(BillingService, {
  getCustomer: ({ by }) => {
    if (by.value !== knownCustomer) throw new AppError('NOT_FOUND', 'customer not found');
    return { envelope: { customer: { id: knownCustomer, externalId: 'ext' } } };
  },
});

const { harness, send } = useRoutes(import.meta.url, [sessionRouter], [registry, billing], {
  path: () => '/sessions',
  credential: 'secretKey',
});

const endpoints: Endpoint[] = [
  ['post', '', {}],
  ['get', '', undefined],
  ['get', `/${id}`, undefined],
  ['patch', `/${id}`, { metadata: {} }],
  ['delete', `/${id}`, undefined],
  ['post', `/${id}/messages`, { role: 'user', content: 'hi' }],
  ['post', `/${id}/clear`, undefined],
];

it('keeps the digits of numbers that JavaScript rounds', async () => {
  const text = '{"n":[12345678901234567890],"m":0.1234567890123456789}';
  const post = (path: string, body: string) =>
    request(harness.app)
      .post(`/api/v1/sessions${path}`)
      .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' })
      .send(body);
  expect((await post('', `{"metadata":${text.replace(':', ' : ')}}`)).status).toBe(201);
  expect((await post(`/${id}/messages`, `{"role":"user","content":[{"type":"x","data":${text}}]}`)).status).toBe(201);
  const [made, added] = asked.map(({ req }) => req);
  expect(made).toMatchObject({ metadataJson: text });
  expect(added).toMatchObject({ contentJson: `[{"type":"x","data":${text}}]` });
  session.metadataJson = text;
  message.contentJson = text;
  try {
    expect((await send('get', `/${id}`)).text).toContain(`"metadata":${text}`);
    expect((await send('get', `/${id}`)).text).toContain(`"content":${text}`);
  } finally {
    session.metadataJson = '{"a":1}';
    message.contentJson = '"hi"';
  }
});

describe('200', () => {
  it('lists sessions page by page', async () => {
    const res = await send('get', '?limit=1&offset=2');
    expect([res.status, res.body]).toEqual([200, { sessions: [sessionJson], next_cursor: '3' }]);
    expect(asked[0]?.req).toEqual({ limit: 1, offset: 2 });
  });

  it('reads a session with its messages', async () => {
    const res = await send('get', `/${id}`);
    const second = { ...messageJson, seq: 2, run_id: id, content: [{ type: 'x' }] };
    expect([res.status, res.body]).toEqual([200, { ...sessionJson, messages: [messageJson, second] }]);
  });

  it('merges metadata', async () => {
    const res = await send('patch', `/${id}`, { metadata: { a: null, b: [1] } });
    expect([res.status, res.body]).toEqual([200, sessionJson]);
    expect(asked[0]?.req).toEqual({ id, metadataJson: '{"a":null,"b":[1]}' });
  });

  it('clears a session', async () => {
    const res = await send('post', `/${id}/clear`);
    expect([res.status, res.body, asked[0]?.req]).toEqual([200, { ...sessionJson, message_count: 0 }, { id }]);
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
  it.each<[object, object]>([
    [{}, { customerId: '', metadataJson: '{}' }],
    [
      { customer_id: null, metadata: null },
      { customerId: '', metadataJson: '{}' },
    ],
    [
      { customer_id: knownCustomer, metadata: { a: 1 } },
      { customerId: knownCustomer, metadataJson: '{"a":1}' },
    ],
  ])('creates a session from %j', async (body, req) => {
    const res = await send('post', '', body);
    expect([res.status, res.body]).toEqual([201, { ...sessionJson, customer_id: id }]);
    expect(asked[0]?.req).toEqual(req);
  });

  it.each<[object, object]>([
    [
      { role: 'user', content: 'hi' },
      { contentJson: '"hi"', runId: '' },
    ],
    [
      { role: 'user', content: [{ type: 'text', text: 'x' }], run_id: id },
      { contentJson: '[{"type":"text","text":"x"}]', runId: id },
    ],
  ])('appends %j', async (body, req) => {
    const res = await send('post', `/${id}/messages`, body);
    expect([res.status, res.body]).toEqual([201, messageJson]);
    expect(asked[0]?.req).toEqual({ id, role: 'user', messageId: '', ...req });
  });
});

describe('204', () => {
  it('deletes a session', async () => {
    const res = await send('delete', `/${id}`);
    expect([res.status, res.text, asked[0]?.req]).toEqual([204, '', { id }]);
  });
});

describe('400', () => {
  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { customer_id: 'x' }, 'customer_id'],
    ['post', '', { metadata: [] }, 'metadata'],
    ['patch', `/${id}`, {}, 'metadata'],
    ['patch', `/${id}`, { metadata: null }, 'metadata'],
    ['post', `/${id}/messages`, { role: 'robot', content: 'x' }, 'role'],
    ['post', `/${id}/messages`, { role: 'user' }, 'content'],
    ['post', `/${id}/messages`, { role: 'user', content: '' }, 'content'],
    ['post', `/${id}/messages`, { role: 'user', content: 'x', run_id: 'y' }, 'run_id'],
    ['get', '?limit=101', undefined, 'limit'],
    ['get', '?offset=-1', undefined, 'offset'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields).toEqual([expect.objectContaining({ field })]);
    expect(asked).toEqual([]);
  });
});

describe('403', () => {
  it.each(['customerToken', 'ownerToken'] as const)('rejects deleting with a %s', async (credential) => {
    const res = await send('delete', `/${id}`, undefined, harness.tenant[credential]);
    expect([res.status, asked]).toEqual([403, []]);
  });
});

describe('404', () => {
  it.each(endpoints)('reports %s %s of an unknown, deleted or foreign session', async (method, path, body) => {
    refuseWith(new AppError('NOT_FOUND', 'session not found'));
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('reports a customer that the project does not have', async () => {
    const res = await send('post', '', { customer_id: randomUUID() });
    expect([res.status, res.body.message, asked]).toEqual([404, 'customer not found', []]);
  });
});
