import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ask, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let upstream: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  upstream = await startUpstreamServer((res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    res.end('<!doctype html><title>Sign in</title>');
  });
  system = await InferenceSystem.start({ OPENAI_BASE_URL: upstream.baseUrl });
});

afterAll(async () => {
  await system.stop();
  await upstream.stop();
});

it.each([
  [true, 'the provider answered with HTML, not with an event stream'],
  [false, 'the provider answered with HTML, not with JSON'],
])('reports HTML with status 200 as such (stream: %s), and charges nothing', async (stream, detail) => {
  const requestId = `a0000000-0000-4000-8000-00000000000${stream ? 1 : 2}`;
  const options = { modelId: 'test-mini', requestId };
  const asked = stream ? system.events(ask('hi'), options) : system.answer(ask('hi'), options);
  await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'invalid_response', detail });
  expect(system.ledger.findSettlement(requestId)).toMatchObject({ usage: { inputTokens: 0n }, isInDoubt: false });
});
