import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { createLogger } from '@tollgate/runtime';
import { parseMetrics, waitUntil } from '@tollgate/testkit';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { routers } from '../routes/index.js';

const body = {
  model: 'sandbox/echo-1',
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }],
};
const logged: string[] = [];
const logger = createLogger('edge-gateway', 'info', { write: (line) => void logged.push(line) });
let harness: RouteTest;
let server: Server;
let baseUrl: string;
/** Resolves what the provider waits for before it answers. */
let release: Promise<void> = Promise.resolve();

async function* generate() {
  await release;
  yield { data: new TextEncoder().encode('{"id":"r1"}'), model: 'm', provider: 'sandbox' };
}

beforeAll(async () => {
  const admitted = { modelId: 'sandbox/echo-1', maxOutputTokens: 100, holdTtlMs: 30_000 };
  const billing = peer(BillingService, {
    admit: () => ({ decision: { case: 'admitted', value: admitted } }),
    release: () => ({}),
    getTier: () => ({ tier: { models: [{ modelId: 'sandbox/echo-1', isDefault: true }] } }),
    getCustomer: () => {
      throw new AppError('NOT_FOUND', 'no such customer');
    },
  });
  const peers = [billing, peer(HoldService, {}), peer(InferenceService, { generate })];
  harness = await startRouteTest(import.meta.url, routers, peers, { logger });
  server = createServer(harness.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await harness.stop();
});

function send(method: string, path: string, json?: object): Promise<Response> {
  const headers = { Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' };
  return fetch(`${baseUrl}${path}`, { method, headers, ...(json && { body: JSON.stringify(json) }) });
}

/** The values of a metric by its labels. A request counts when its connection is done with it, so ask until it has. */
async function readValues(name: string, ...labels: string[]): Promise<Record<string, number>> {
  const { samples = [] } = parseMetrics(await harness.metrics.scrape())[name] ?? {};
  const counted = samples.filter((sample) => sample.name === name || sample.name === `${name}_count`);
  return Object.fromEntries(counted.map((each) => [labels.map((label) => each.labels[label]).join(' '), each.value]));
}

async function awaitRequests(...wanted: string[]): Promise<void> {
  const has = async () => {
    const found = await readValues('tollgate_http_requests_total', 'method', 'route', 'status');
    const timed = await readValues('tollgate_http_request_duration_seconds', 'method', 'route', 'status');
    return wanted.every((each) => found[each] === 1 && timed[each] === 1);
  };
  await waitUntil(has, { what: `the requests ${wanted.join(', ')}` });
}

describe('the metrics of requests', () => {
  it('counts and times requests by the pattern of their endpoint', async () => {
    await send('POST', '/api/v1/responses', body);
    await send('GET', '/api/v1/customers/some-id-of-a-customer');
    await awaitRequests('POST /api/v1/responses 200', 'GET /api/v1/customers/:id 404');
    expect(await harness.metrics.scrape()).not.toContain('some-id-of-a-customer');
  });

  it('counts requests without an endpoint as one', async () => {
    const count = async () =>
      (await readValues('tollgate_http_requests_total', 'method', 'route', 'status'))['any none 404'] ?? 0;
    const before = await count();
    await send('GET', '/api/v1/no-such-place');
    await waitUntil(async () => (await count()) > before, { what: 'the request' });
    expect(await harness.metrics.scrape()).not.toContain('no-such-place');
  });

  it('measures the time to the first piece of a streamed answer by model', async () => {
    await (
      await send('POST', '/v1/chat/completions', {
        model: 'sandbox/echo-1',
        stream: true,
        messages: [{ role: 'user', content: 'hello' }],
      })
    ).text();
    await awaitRequests('POST /v1/chat/completions 200');
    expect(await readValues('tollgate_http_first_byte_seconds', 'route', 'model')).toEqual({
      '/v1/chat/completions sandbox/echo-1': 1,
    });
  });

  it('counts error answers by code', async () => {
    const before = await readValues('tollgate_refusals_total', 'code');
    await send('POST', '/api/v1/responses', {});
    const after = await readValues('tollgate_refusals_total', 'code');
    expect(after.VALIDATION_ERROR).toBe((before.VALIDATION_ERROR ?? 0) + 1);
    await send('GET', '/api/v1/no-such-place');
    expect((await readValues('tollgate_refusals_total', 'code')).NOT_FOUND).toBe((after.NOT_FOUND ?? 0) + 1);
  });

  it('shows requests in flight, and counts those whose client leaves as 499', async () => {
    let answer: () => void = () => undefined;
    release = new Promise((resolve) => {
      answer = resolve;
    });
    const inFlight = async () => (await readValues('tollgate_http_requests_in_flight', 'service'))['edge-gateway'];
    const headers = { Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json' };
    const sent = httpRequest(`${baseUrl}/api/v1/responses`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(body));
    await waitUntil(async () => (await inFlight()) === 1, { what: 'the request' });
    sent.destroy();
    await awaitRequests('POST /api/v1/responses 499');
    expect(await inFlight()).toBe(0);
    answer();
  });
});

it('has no metrics on the public port', async () => {
  for (const path of ['/metrics', '/api/v1/metrics', '/v1/metrics']) {
    const response = await send('GET', path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('tollgate_');
  }
});

it('counts and logs a request whose client left before its start, without serving it', async () => {
  const held: Parameters<typeof harness.app>[] = [];
  const waiting = createServer((req, res) => void held.push([req, res]));
  await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve));
  const { port } = waiting.address() as AddressInfo;
  const countLeft = async () =>
    (await readValues('tollgate_http_requests_total', 'method', 'route', 'status'))['any none 499'] ?? 0;
  const before = await countLeft();
  logged.length = 0;
  const leaving = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/customers' });
  leaving.on('error', () => undefined);
  leaving.end();
  await waitUntil(() => held.length === 1, { what: 'the request' });
  const [req, res] = held[0]!;
  leaving.destroy();
  await waitUntil(() => req.destroyed, { what: 'the closed connection' });
  harness.app(req, res);
  expect(await countLeft()).toBe(before + 1);
  expect(Object.values(await readValues('tollgate_http_requests_in_flight'))).toEqual([0]);
  expect(logged.filter((line) => line.includes('request ended'))).toHaveLength(1);
  await new Promise((resolve) => waiting.close(resolve));
});
