import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Call } from '@tollgate/rpc';
import { createLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { defineRoute } from './route.js';

const BODY = JSON.stringify({ name: 'x'.repeat(1_000) });

let started = 0;
let finish: () => void;
let finished: Promise<void>;

const upload = defineRoute({
  method: 'POST',
  path: '/uploads',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key'],
  success: { status: 200 },
  idempotent: true,
  handler: async () => {
    started++;
    await finished;
    return { body: { started } };
  },
});

const calls: Call[] = [];
const wait = defineRoute({
  method: 'GET',
  path: '/waits',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key'],
  success: { status: 200 },
  handler: async ({ call }) => {
    calls.push(call);
    await finished;
    return { body: {} };
  },
});

const logged: string[] = [];
const logger = createLogger('edge-gateway', 'debug', { write: (line) => void logged.push(line) });
let harness: RouteTest;
let server: Server;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [upload, wait], [], { logger });
  server = createServer(harness.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await harness.stop();
});

beforeEach(() => {
  started = 0;
  logged.length = 0;
  finished = new Promise((resolve) => {
    finish = resolve;
  });
});

/** Sends an upload whose client can leave. Resolves once the server holds its body. */
async function send(key: string) {
  const held = harness.ctx.bodies.bytes;
  const { port } = server.address() as AddressInfo;
  const req = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/uploads' });
  req.setHeader('Authorization', `Bearer ${harness.tenant.secretKey}`);
  req.setHeader('Idempotency-Key', key);
  const answered = new Promise<boolean>((resolve) => {
    req.once('response', (res) => res.resume().once('end', () => resolve(true)));
    req.once('error', () => resolve(false));
  });
  req.end(BODY);
  await waitUntil(() => harness.ctx.bodies.bytes > held, { what: 'the body' });
  return { leave: () => req.destroy(), answered };
}

async function connections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('a client that leaves a request with an Idempotency-Key', () => {
  it('counts the body until the handler has settled', async () => {
    const { leave } = await send('held-1');
    await waitUntil(() => started === 1, { what: 'the handler' });
    leave();
    await waitUntil(async () => (await connections()) === 0, { what: 'the closed connection' });
    expect(harness.ctx.bodies.bytes).toBe(BODY.length);
    finish();
    await waitUntil(() => harness.ctx.bodies.bytes === 0, { what: 'the end of the handler' });
  });

  it('stops the wait of a repeat for the first attempt', async () => {
    const first = await send('waits-1');
    await waitUntil(() => started === 1, { what: 'the handler' });
    const repeat = await send('waits-1');
    repeat.leave();
    const hasEnded = () => logged.some((line) => line.includes('request ended'));
    await waitUntil(hasEnded, { what: 'the end of the repeat' });
    expect(harness.ctx.bodies.bytes).toBe(BODY.length);
    finish();
    expect(await first.answered).toBe(true);
    expect(started).toBe(1);
  });
});

describe('the end of requests whose clients leave at once', () => {
  it("aborts their calls in the caller's turns", async () => {
    const { port } = server.address() as AddressInfo;
    const authorization = `Bearer ${harness.tenant.secretKey}`;
    const get = () => httpRequest({ port, host: '127.0.0.1', path: '/api/v1/waits', headers: { authorization } });
    const requests = Array.from({ length: 3 }, () => get().once('error', () => undefined));
    for (const request of requests) request.end();
    await waitUntil(() => calls.length === 3, { what: 'the handlers' });
    const held: (() => void)[] = [];
    const take = jest.spyOn(harness.ctx.sharedLoop, 'take').mockImplementation((_caller, run) => void held.push(run));
    for (const request of requests) request.destroy();
    await waitUntil(() => held.length === 3, { what: 'the closed connections' });
    const countAborted = () => calls.filter(({ isAborted }) => isAborted).length;
    expect(take.mock.calls.map(([caller]) => caller)).toEqual(Array(3).fill(authorization));
    expect(countAborted()).toBe(0);
    held[0]!();
    expect(countAborted()).toBe(1);
    take.mockRestore();
    for (const run of held.slice(1)) run();
    expect(countAborted()).toBe(3);
    finish();
    await waitUntil(() => logged.filter((line) => line.includes('request ended')).length === 3, { what: 'the ends' });
  });
});
