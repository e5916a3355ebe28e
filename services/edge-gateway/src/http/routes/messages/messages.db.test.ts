import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { toMessagePlace } from '@tollgate/api/state';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer } from '../../../testing/route-test.js';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { messageRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const id = randomUUID();
const knownRun = randomUUID();
const message = {
  id,
  projectId: id,
  customerId: knownRun,
  from: `agent:api@${id}`,
  to: `agent:helper@${id}`,
  subject: 'hello',
  bodyJson: '{"z":1,"a":{}}',
  threadId: id,
  createdAt: at,
};
const messageJson = {
  id,
  project_id: id,
  customer_id: knownRun,
  from: `agent:api@${id}`,
  to: `agent:helper@${id}`,
  subject: 'hello',
  body: { z: 1, a: {} },
  thread_id: id,
  read: false,
  created_at: '2030-01-01T00:00:00.000Z',
};
const good = { to: `agent:helper@${id}`, subject: 'hello', body: { z: 1 } };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const messaging = recordedPeer(MessagingService, {
  sendMessage: { message },
  listMessages: { messages: [message, { ...message, readAt: at }], hasMore: true },
  searchMessages: { messages: [message], nextCursor: id },
  listMailboxes: {
    mailboxes: [{ address: `agent:helper@${id}`, unreadCount: 2, lastMessageAt: at, lastSubject: 'hello' }],
    nextCursor: 'bmV4dA',
  },
  getMessage: { message: { ...message, readAt: at } },
  markMessageRead: {},
});

const engine = peer(WorkflowService, {
  getRun: ({ runId }) => {
    if (runId !== knownRun) throw new AppError('NOT_FOUND', 'run not found');
    return { run: { runId, customerId: harness.tenant.customerId } };
  },
});

const registry = peer(AgentService, {
  resolveAgent: ({ by }) => {
    if (by.value !== 'helper') throw new AppError('NOT_FOUND', 'agent not found');
    return { snapshot: { agent: { slug: by.value } } };
  },
});

const { harness, send } = useRoutes(import.meta.url, [messageRouter], [messaging, engine, registry], {
  path: () => '/messages',
  credential: 'secretKey',
});

const endpoints: Endpoint[] = [
  ['post', '', good],
  ['get', `?thread_id=${id}`, undefined],
  ['get', '?sort=-created_at', undefined],
  ['get', `/${id}`, undefined],
  ['post', `/${id}/read`, undefined],
];

describe('the body of a message', () => {
  it('reaches the mailbox with every member, including __proto__', async () => {
    const body = '{"__proto__":{"a":1},"b":{"__proto__":2}}';
    const text = `{"to":"${good.to}","subject":"hello","body":${body}}`;
    const res = await request(harness.app)
      .post('/api/v1/messages')
      .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' })
      .send(text);
    expect(res.status).toBe(201);
    expect(asked[0]?.req).toMatchObject({ bodyJson: body });
  });

  it('keeps the digits of numbers that JavaScript rounds', async () => {
    const body = '{"n":[12345678901234567890],"m":0.1234567890123456789}';
    const res = await request(harness.app)
      .post('/api/v1/messages')
      .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' })
      .send(`{"to":"${good.to}","subject":"hello","body":${body.replace(',', ' ,  ')}}`);
    expect([res.status, asked[0]?.req]).toEqual([201, expect.objectContaining({ bodyJson: body })]);
  });

  it.each(['{"a":1e400}', '{"a":[{"b":-1e999}]}'])('rejects a number that JSON cannot represent: %s', async (body) => {
    const res = await request(harness.app)
      .post('/api/v1/messages')
      .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' })
      .send(`{"to":"${good.to}","subject":"hello","body":${body}}`);
    expect([res.status, asked]).toEqual([400, []]);
  });
});

describe('200', () => {
  it('lists the unread messages of a mailbox by default', async () => {
    const res = await send('get', `?to=${good.to}`);
    expect(res.status).toBe(200);
    expect(res.body).toEqual({
      messages: [messageJson, { ...messageJson, read: true, read_at: '2030-01-01T00:00:00.000Z' }],
      next_cursor: '2',
    });
    expect(asked[0]?.req).toMatchObject({ to: good.to, threadId: '', unread: true, limit: 50, offset: 0, runs: [] });
    await send('get', `?thread_id=${id}&unread=0&limit=200&offset=3`);
    expect(asked[1]?.req).toMatchObject({ to: '', threadId: id, unread: false, limit: 200, offset: 3 });
    const place = toMessagePlace(id);
    for (const field of ['cursor', 'offset']) await send('get', `?to=${good.to}&${field}=${place}`);
    for (const { req } of asked.slice(2)) expect(req).toMatchObject({ to: good.to, cursor: id, offset: 0 });
  });

  it('lists all mailboxes, newest first, with the filters that are given', async () => {
    const res = await send('get', `?sort=-created_at&from=${good.to}&customer_id=${id}&unread=false`);
    expect([res.status, res.body]).toEqual([200, { messages: [messageJson], next_cursor: id }]);
    expect(asked[0]?.req).toMatchObject({
      from: good.to,
      customerId: id,
      unread: false,
      limit: 50,
      cursor: '',
      to: '',
    });
    await send('get', `?cursor=${id}&to=${good.to}&limit=7`);
    expect(asked[1]?.req).toMatchObject({ cursor: id, to: good.to, limit: 7 });
  });

  it('lists mailboxes', async () => {
    const list = (query: string) =>
      request(harness.app)
        .get(`/api/v1/mailboxes${query}`)
        .set('Authorization', `Bearer ${harness.tenant.customerToken}`);
    const res = await list('');
    const last = { last_message_at: '2030-01-01T00:00:00.000Z', last_subject: 'hello' };
    const mailboxes = [{ address: `agent:helper@${id}`, unread_count: 2, ...last }];
    expect([res.status, res.body]).toEqual([200, { mailboxes, next_cursor: 'bmV4dA' }]);
    expect(asked[0]?.req).toMatchObject({ unread: false, limit: 50, cursor: '', fromClient: true });
    await list('?unread=true&limit=3&cursor=bmV4dA');
    expect(asked[1]?.req).toMatchObject({ unread: true, limit: 3, cursor: 'bmV4dA' });
  });

  it('checks the run whose mailbox is read', async () => {
    await send('get', `?to=run:${knownRun.toUpperCase()}`, undefined, harness.tenant.customerToken);
    expect(asked[0]?.req).toMatchObject({ runs: [{ runId: knownRun, customerId: harness.tenant.customerId }] });
  });

  it('gets a message', async () => {
    const res = await send('get', `/${id}`);
    expect([res.status, res.body.read, res.body.body]).toEqual([200, true, { z: 1, a: {} }]);
    expect(asked[0]?.req).toMatchObject({ id });
  });

  it('marks the caller as a client on every route', async () => {
    for (const [method, path, body] of endpoints) await send(method, path, body, harness.tenant.customerToken);
    expect(asked.map(({ req }) => req)).toEqual(endpoints.map(() => expect.objectContaining({ fromClient: true })));
  });

  it("passes on the caller's principal: key, owner or customer", async () => {
    const { secretKey, ownerToken, customerToken, projectId, customerId } = harness.tenant;
    for (const credential of [secretKey, ownerToken, customerToken]) await send('get', `/${id}`, undefined, credential);
    expect(asked.map((call) => [call.projectId, call.customerId])).toEqual([
      [projectId, ''],
      [projectId, ''],
      [projectId, customerId],
    ]);
  });
});

describe('201', () => {
  it('sends a message unchanged', async () => {
    const res = await send('post', '', { ...good, body: { z: 1, a: ['é'] }, thread_id: id, from: good.to });
    expect([res.status, res.body]).toEqual([201, messageJson]);
    expect(asked[0]?.req).toMatchObject({
      to: good.to,
      from: good.to,
      subject: 'hello',
      bodyJson: '{"z":1,"a":["é"]}',
      threadId: id,
      runs: [],
    });
  });

  it('checks a run that sends to itself once', async () => {
    await send('post', '', { ...good, to: `run:${knownRun}`, from: `run:${knownRun}` });
    expect(asked[0]?.req).toMatchObject({ runs: [{ runId: knownRun }] });
  });

  it('sends once for one Idempotency-Key', async () => {
    const post = () => send('post', '', good).set('Idempotency-Key', 'k1');
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status, asked.length]).toEqual([201, 201, 1]);
    expect(second.body).toEqual(first.body);
  });

  it('passes messaging the same derived key when the outcome of the first attempt is unknown', async () => {
    const post = (body: object, credential?: string) => send('post', '', body, credential).set('Idempotency-Key', 'k2');
    refuseWith(new AppError('SERVICE_UNAVAILABLE', 'away'));
    for (const body of [good, good]) expect((await post(body)).status).toBe(503);
    expect((await post({ ...good, subject: 'other' })).status).toBe(409);
    await post(good, harness.tenant.customerToken);
    const [first, repeat, ...others] = asked.map(({ req }) => (req as { dedupeKey: string }).dedupeKey);
    expect(repeat).toBe(first);
    expect(new Set([first, ...others, '']).size).toBe(3);
    refuseWith(undefined);
    await send('post', '', good);
    expect(asked.at(-1)?.req).toMatchObject({ dedupeKey: '' });
  });
});

describe('204', () => {
  it('marks a message as read', async () => {
    const res = await send('post', `/${id}/read`);
    expect([res.status, res.text]).toEqual([204, '']);
    expect(asked[0]?.req).toMatchObject({ id });
  });
});

describe('400', () => {
  it.each<[Method, string, object | undefined, string]>([
    ['post', '', { ...good, to: undefined }, 'to'],
    ['post', '', { ...good, to: 7 }, 'to'],
    ['post', '', { ...good, subject: '' }, 'subject'],
    ['post', '', { ...good, subject: 'a\u0000b' }, 'subject'],
    ['post', '', { ...good, body: 'text' }, 'body'],
    ['post', '', { ...good, body: [] }, 'body'],
    ['post', '', { ...good, body: undefined }, 'body'],
    ['post', '', { ...good, thread_id: 'soon' }, 'thread_id'],
    ['get', '', undefined, 'to'],
    ['get', '?to=', undefined, 'to'],
    ['get', `?to=${good.to}&limit=201`, undefined, 'limit'],
    ['get', `?to=${good.to}&limit=0`, undefined, 'limit'],
    ['get', `?to=${good.to}&offset=-1`, undefined, 'offset'],
    ['get', `?to=${good.to}&unread=maybe`, undefined, 'unread'],
    ['get', `?to=${good.to}&from=${good.to}`, undefined, 'from'],
    ['get', `?to=${good.to}&customer_id=${id}`, undefined, 'customer_id'],
    ['get', '?sort=-created_at&offset=50', undefined, 'offset'],
    ['get', '?sort=created_at', undefined, 'sort'],
    ['get', '?cursor=a.b', undefined, 'cursor'],
  ])('rejects %s %s %j naming %s before any call', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields.map((fault: { field: string }) => fault.field)).toContain(field);
    expect(asked).toEqual([]);
  });

  it("passes on messaging's error about an address", async () => {
    refuseWith(new AppError('VALIDATION_ERROR', 'to topic addresses are reserved'));
    const res = await send('post', '', { ...good, to: `topic:news@${id}` });
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('404', () => {
  it('reports a run that the caller cannot access, as recipient, sender or mailbox', async () => {
    const unknown = `run:${randomUUID()}`;
    const answers = [
      await send('post', '', { ...good, to: unknown }),
      await send('post', '', { ...good, from: unknown }),
      await send('get', `?to=${unknown}`),
    ];
    expect(answers.map((res) => [res.status, res.body.code])).toEqual(Array(3).fill([404, 'NOT_FOUND']));
    expect(asked).toEqual([]);
  });

  it('reports an agent that the project does not have, as recipient only', async () => {
    const unknown = `agent:helpr@${id}`;
    const refused = await send('post', '', { ...good, to: unknown });
    expect([refused.status, refused.body.code, asked]).toEqual([404, 'NOT_FOUND', []]);
    const from = await send('post', '', { ...good, from: unknown });
    const toApi = await send('post', '', { ...good, to: `agent:api@${id}` });
    const read = await send('get', `?to=${unknown}`);
    expect([from.status, toApi.status, read.status]).toEqual([201, 201, 200]);
  });

  it.each(endpoints)('reports %s %s of an unknown or foreign message', async (method, path, body) => {
    refuseWith(new AppError('NOT_FOUND', 'message not found'));
    const res = await send(method, path, body);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('413', () => {
  it('reports a body that messaging rejects as too large', async () => {
    refuseWith(new AppError('PAYLOAD_TOO_LARGE', 'the body of a message may have at most 262144 bytes'));
    const res = await send('post', '', good);
    expect([res.status, res.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
