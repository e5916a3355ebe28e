import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { createEndpointClient, type EndpointClient } from './endpoint-client.js';

let receiver: WebhookReceiver;
const clients: EndpointClient[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.stop())));
afterAll(() => receiver.stop());

function post(url: string, given: { allowPrivate?: boolean; timeoutMs?: number; signal?: AbortSignal } = {}) {
  const client = createEndpointClient({ allowPrivate: given.allowPrivate ?? true, concurrency: 4 });
  clients.push(client);
  const signal = given.signal ?? new AbortController().signal;
  return client.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: given.timeoutMs ?? 2_000, signal });
}

describe('an answer', () => {
  it('returns any status with Retry-After and the truncated body', async () => {
    receiver.answerNext({ status: 429, headers: { 'retry-after': '7' }, body: 'slow down'.repeat(1_000) });
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ kind: 'answered', status: 429, retryAfter: '7' });
    expect(answer.responseBody).toHaveLength(2_000);
  });

  it('returns the status when the body exceeds the limit', async () => {
    receiver.answerNext({ status: 200, body: 'x'.repeat(1_000_000) });
    await expect(post(receiver.url)).resolves.toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each<[string, (res: ServerResponse) => void]>([
    [
      'keeps arriving',
      (res) =>
        res.on(
          'close',
          clearInterval.bind(
            undefined,
            setInterval(() => res.write('.'), 20),
          ),
        ),
    ],
    ['never arrives', (res) => res.flushHeaders()],
    ['is shorter than its Content-Length', (res) => res.write('ab', () => res.destroy())],
    ['has no end', (res) => pipeline(Readable.from(endless()), res, () => {})],
  ])('returns the status when the body %s', async (_what, answer) => {
    const server = createServer((_req, res) => {
      res.writeHead(200, { 'content-length': 1_000_000 });
      answer(res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(post(url, { timeoutMs: 1_000 })).resolves.toMatchObject({ kind: 'answered', status: 200 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('no answer', () => {
  it('ends at the timeout when no status arrives', async () => {
    receiver.answerNext({ hang: true });
    await expect(post(receiver.url, { timeoutMs: 150 })).resolves.toMatchObject({ kind: 'unreachable' });
  });

  it('reports an attempt that the worker aborted as interrupted', async () => {
    receiver.answerNext({ hang: true });
    const controller = new AbortController();
    const answer = post(`${receiver.url}cut`, { signal: controller.signal });
    await receiver.waitFor((delivery) => delivery.path === '/cut');
    controller.abort();
    await expect(answer).resolves.toEqual({ kind: 'interrupted' });
  });
});

describe('private addresses', () => {
  it.each(['https://127.0.0.1:8443/', 'https://localhost:8443/', 'https://169.254.169.254/'])(
    'refuses to call %s unless private addresses are allowed',
    async (url) => {
      const answer = await post(url, { allowPrivate: false });
      expect(answer).toEqual({ kind: 'unreachable', error: 'the host may not be called' });
    },
  );
});

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(10_000);
}
