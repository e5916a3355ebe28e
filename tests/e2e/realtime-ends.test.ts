// How realtime sessions end, and what they cost then.
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { openRealtime, REALTIME_MODEL, type RealtimeTestClient } from '../system/realtime-client.js';
import { must, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const PER_CUSTOMER_MAX = 2;
const PER_PROJECT_MAX = 3;
const SOCKETS_MAX = 4;
const EVENT_BYTES_MAX = 65_536;

const models = [
  {
    model_id: REALTIME_MODEL,
    is_default: true,
    input_price_per_million_cents: 400,
    output_price_per_million_cents: 1_600,
  },
];

const system = useSystem({
  mode: 'separate processes',
  env: {
    REALTIME_IDLE_TIMEOUT: '8s',
    REALTIME_SESSION_MAX: '20s',
    REALTIME_SOCKETS_PER_CUSTOMER_MAX: String(PER_CUSTOMER_MAX),
    REALTIME_SOCKETS_PER_PROJECT_MAX: String(PER_PROJECT_MAX),
    REALTIME_SOCKETS_MAX: String(SOCKETS_MAX),
    REALTIME_MESSAGE_BYTES_MAX: String(EVENT_BYTES_MAX),
  },
});
const project = useProject(system);
const open: RealtimeTestClient[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) session.socket.socket.terminate();
  await waitUntil(() => system.provider.realtime.openCount() === 0, { what: 'all sessions at the vendor to end' });
});

function buyer(of = project): Promise<TestCustomer> {
  return of.customerOn('free', { tier: { models } });
}

async function start(key: string, headers: Record<string, string> = {}): Promise<RealtimeTestClient> {
  const session = openRealtime(system, key, { headers });
  open.push(session);
  await session.next('session.created');
  return session;
}

/** Starts a response of 500 tokens that takes at least this long. */
async function talk(session: RealtimeTestClient, ms: number): Promise<void> {
  session.say(`slow ${Math.ceil(ms / 100)} ms say 100 tokens`);
  session.send({ type: 'response.create' });
  await session.next('response.output_audio.delta');
}

async function readCost(customer: TestCustomer): Promise<number> {
  return must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
}

async function expectNothingOpen(of = project): Promise<void> {
  await waitUntil(async () => (await of.verify()).open_holds === 0, { what: 'all holds to end' });
  expect(await of.verify()).toMatchObject({ differences: [] });
}

/** Resolves with the status of a refused upgrade. */
async function readRefusal(key: string): Promise<string> {
  const session = openRealtime(system, key);
  open.push(session);
  return new Promise((resolve, reject) => {
    session.socket.socket.on('error', (error) => resolve(error.message));
    session.socket.socket.on('open', () => reject(new Error('the socket was opened')));
  });
}

describe('the time of a session', () => {
  it('ends when its client sends nothing', async () => {
    const session = await start((await buyer()).token);
    expect(await session.waitClosed()).toEqual({ code: 1008, reason: 'nothing was sent for too long' });
    expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
  });

  it('keeps a session whose response is running, and ends it at its maximum, settled', async () => {
    const customer = await buyer();
    const session = await start(customer.token);
    await talk(session, 60_000);
    expect(await session.waitClosed()).toEqual({ code: 1008, reason: 'the session has reached its longest time' });
    expect(session.events.find(({ type }) => type === 'error')).toMatchObject({ error: { code: 'session_expired' } });
    await expectNothingOpen();
    expect(system.provider.realtime.responses.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(await readCost(customer)).toBeGreaterThan(0);
  });
});

describe('a credential', () => {
  it('ends the session of a blocked customer at its next response, and keeps a running response', async () => {
    const customer = await buyer();
    const other = await start((await buyer()).token);
    const session = await start(customer.token);
    await talk(session, 1_000);
    must(await project.api.post(`/customers/${customer.id}/block`, {}), 200);
    expect((await session.next('response.done')).response.status).toBe('completed');
    // Refused within five seconds.
    while (!session.closed) {
      const from = session.events.length;
      session.send({ type: 'response.create', event_id: 'next', response: { max_output_tokens: 5 } });
      const isDone = () => session.events.slice(from).some(({ type }) => type === 'response.done');
      await waitUntil(() => session.closed !== undefined || isDone(), { what: 'an answer, or the end' });
    }
    expect(session.closed).toEqual({ code: 1008, reason: 'FORBIDDEN' });
    expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { event_id: 'next' } });
    await expectNothingOpen();
    expect((await other.ask('hello')).status).toBe('completed');
  });

  it('closes the sockets of a key that is revoked', async () => {
    const customer = await buyer();
    const body = { label: 'realtime', project_id: project.id };
    const { api_key } = must(await project.owner.post('/api-keys', body), 201);
    const session = await start(api_key.secret_key, { 'X-Service-Customer-Id': customer.id });
    must(await project.owner.delete(`/api-keys/${api_key.id}`), 204);
    expect(await session.waitClosed()).toEqual({ code: 1008, reason: 'the credential was revoked' });
  });
});

describe('places for sockets', () => {
  it('limits those of a customer, a project and the process, and frees them after the end', async () => {
    const customer = await buyer();
    const first = await start(customer.token);
    await start(customer.token);
    expect(await readRefusal(customer.token)).toContain('429');
    await start((await buyer()).token);
    expect(await readRefusal((await buyer()).token)).toContain('429');
    const stranger = await system.project();
    await start((await buyer(stranger)).token);
    expect(await readRefusal((await buyer(stranger)).token)).toContain('503');
    first.close();
    await first.waitClosed();
    await waitUntil(async () => (await tryToOpen(customer.token)) === 'open', { what: 'the place to be free' });
  });

  async function tryToOpen(key: string): Promise<string> {
    const session = openRealtime(system, key);
    open.push(session);
    return new Promise((resolve) => {
      session.socket.socket.on('error', (error) => resolve(error.message));
      session.socket.socket.on('open', () => resolve('open'));
    });
  }
});

describe('an event of a client', () => {
  it('returns an error when it is malformed, and keeps the session', async () => {
    const session = await start((await buyer()).token);
    const malformed = [
      '',
      'hello',
      '[]',
      '"text"',
      'null',
      '{"type":7}',
      '{}',
      '{"type":"response.create","response":5}',
    ];
    for (const text of malformed.slice(0, -1)) {
      const from = session.events.length;
      session.socket.socket.send(text);
      expect((await session.next('error', from)).error).toMatchObject({ type: 'invalid_request_error' });
    }
    expect((await session.ask('hello')).status).toBe('completed');
    session.close();
    await expectNothingOpen();
  });

  it('closes the socket when it is binary or too large', async () => {
    const customer = await buyer();
    const binary = await start(customer.token);
    binary.socket.socket.send(Buffer.from('{}'), { binary: true });
    expect(await binary.waitClosed()).toEqual({ code: 1003, reason: 'events are text' });
    const large = await start(customer.token);
    large.socket.socket.send(JSON.stringify({ type: 'x', text: 'x'.repeat(EVENT_BYTES_MAX) }));
    expect(await large.waitClosed()).toMatchObject({ code: 1009 });
    await expectNothingOpen();
  });
});

describe.each(['edge-gateway', 'gateway-inference'] as const)('the stop of %s', (service) => {
  it('lets the running response finish, and closes with a reason', async () => {
    const customer = await buyer();
    const idle = await start(customer.token);
    const session = await start(customer.token);
    await talk(session, 2_000);
    process.kill(system.findPid(service), 'SIGTERM');
    expect(await idle.waitClosed()).toEqual({ code: 1001, reason: 'the service is stopping' });
    expect(await session.waitClosed()).toEqual({ code: 1001, reason: 'the service is stopping' });
    const done = session.events.find(({ type }) => type === 'response.done');
    expect(done).toMatchObject({ response: { status: 'completed' } });
    const isServed = () =>
      customer.api.get('/customers/me/usage').then(
        ({ status }) => status === 200,
        () => false,
      );
    await waitUntil(isServed, { what: 'the successor to answer' });
    await expectNothingOpen();
    expect(await readCost(customer)).toBeGreaterThan(0);
  });
});
