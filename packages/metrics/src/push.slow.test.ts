import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LATENCY_BUCKETS, MetricsRegistry, startMetricsPush } from './index.js';

const VARIABLES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_SERVICE_NAME'] as const;

let collector: Server;
let received: { url: string | undefined; body: string }[];
let before: Record<string, string | undefined>;

beforeEach(async () => {
  received = [];
  collector = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ url: req.url, body: Buffer.concat(chunks).toString('latin1') });
      res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env.OTEL_SERVICE_NAME = 'edge-gateway';
});

afterEach(async () => {
  for (const name of VARIABLES) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

function registry(): MetricsRegistry {
  const made = new MetricsRegistry();
  const metrics = made.forService('billing-ledger');
  metrics.counter({ name: 'tollgate_x_total', help: 'x' }).add({}, 3);
  metrics.histogram({ name: 'tollgate_x_seconds', help: 'x', buckets: LATENCY_BUCKETS }).record({}, 0.2);
  metrics.observe({ series: { x: { name: 'tollgate_x_rows', help: 'x' } }, read: () => ({ x: 1 }) });
  return made;
}

describe('startMetricsPush', () => {
  it('sends every series to the collector that the environment names, at the latest when it stops', async () => {
    const push = await startMetricsPush(registry());
    await push.stop();
    expect(received).toHaveLength(1);
    const [{ url, body } = { url: '', body: '' }] = received;
    expect(url).toBe('/v1/metrics');
    for (const text of [
      'tollgate_x_total',
      'tollgate_x_seconds',
      'tollgate_x_rows',
      'billing-ledger',
      'edge-gateway',
    ]) {
      expect(body).toContain(text);
    }
  });

  it('stops while the collector is unavailable', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:1';
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '100';
    const push = await startMetricsPush(registry(), { stopMs: 200 });
    await push.stop();
    expect(received).toEqual([]);
  });
});
