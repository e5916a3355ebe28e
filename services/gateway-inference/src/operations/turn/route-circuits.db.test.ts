// Tests that a turn records the outcome of its routes, so that failing ones are avoided.

import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startCall } from '@tollgate/rpc';
import { fixture } from '../../testing/fixtures.js';
import { ask, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let first: UpstreamServer;
let second: UpstreamServer;
let system: InferenceSystem;

const twoRoutes: TurnOptions = { modelId: 'two-routes' };

function answer(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(fixture('openai', 'chat-text.json'));
}

function fail(res: ServerResponse): void {
  res.writeHead(500, { 'content-type': 'application/json' });
  res.end('{"error":{"message":"no"}}');
}

beforeAll(async () => {
  first = await startUpstreamServer(answer);
  second = await startUpstreamServer(answer);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
});

beforeEach(async () => {
  first.handler = answer;
  first.requests.length = 0;
  const env = { OPENAI_BASE_URL: first.baseUrl, XAI_BASE_URL: second.baseUrl, CIRCUIT_FAILURES_MAX: '2' };
  system = await InferenceSystem.start(env);
});
afterEach(() => system.stop());

it('skips a route after consecutive failures', async () => {
  first.handler = fail;
  for (let i = 0; i < 4; i++) expect((await system.answer(ask('hi'), twoRoutes)).provider).toBe('xai');
  expect(first.requests).toHaveLength(2);
});

it('resets the failures of a route when it answers', async () => {
  for (const handler of [fail, answer, fail, answer]) {
    first.handler = handler;
    await system.answer(ask('hi'), twoRoutes);
  }
  expect(first.requests).toHaveLength(4);
});

it('lists the routes of a model with their circuits', async () => {
  first.handler = fail;
  for (let i = 0; i < 3; i++) await system.answer(ask('hi'), twoRoutes);
  const { routes } = await system.client.listRoutes({}, startCall());
  const found = routes.filter(({ modelId }) => modelId === 'two-routes');
  expect(found).toMatchObject([
    { provider: 'openai', circuit: 'open', failures: 2, since: expect.anything(), nextProbeAt: expect.anything() },
    { provider: 'xai', circuit: 'closed', failures: 0 },
  ]);
});
