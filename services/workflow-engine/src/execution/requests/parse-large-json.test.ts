import { create } from '@bufbuild/protobuf';
import { afterEach, expect, it } from '@jest/globals';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { JsonThread, ThreadError } from '@tollgate/runtime/threads';
import { parseLargeJson } from './parse-large-json.js';

const threads: JsonThread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop();
});

function start() {
  const thread = new JsonThread();
  threads.push(thread);
  return thread;
}

const call = startCall({ principal: create(PrincipalSchema, { accountId: 'a' }), timeoutMs: 30_000 });

it('parses a small request at once', async () => {
  const thread = start();
  expect(await parseLargeJson(thread, '{"input":"é"}', call)).toEqual({ input: 'é' });
  expect(thread.isRunning).toBe(false);
});

it('parses a large request in another thread', async () => {
  const thread = start();
  const input = 'é'.repeat(600_000);
  expect(await parseLargeJson(thread, JSON.stringify({ input }), call)).toEqual({ input });
  expect(thread.isRunning).toBe(true);
});

it('asks to try again when too many large requests wait', async () => {
  const busy = { parse: () => Promise.reject(new ThreadError('too many')) } as unknown as JsonThread;
  const text = JSON.stringify({ input: 'x'.repeat(1_200_000) });
  await expect(parseLargeJson(busy, text, call)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryable: true,
  });
});
