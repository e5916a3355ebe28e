import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
});

describe('no answer', () => {
  it('ends at the timeout even when bytes keep arriving', async () => {
    const dripping = createServer((_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('.'), 20);
      res.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(dripping.address() as AddressInfo).port}/`;
    await expect(post(url, { timeoutMs: 150 })).resolves.toMatchObject({ kind: 'unreachable' });
    dripping.closeAllConnections();
    await new Promise((resolve) => dripping.close(resolve));
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
