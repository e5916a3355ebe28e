import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { parseMetrics } from '@tollgate/testkit';
import { type HealthPort, startHealthPort } from './health-port.js';

let metrics: MetricsRegistry;
let port: HealthPort;
let url: string;

beforeEach(async () => {
  metrics = new MetricsRegistry();
  port = await startHealthPort({ host: '127.0.0.1', port: 0, metrics, scrapeTimeoutMs: 20 });
  url = `http://${port.address}`;
});
afterEach(() => port.stop());

describe('GET /metrics', () => {
  it('answers with the page for Prometheus', async () => {
    metrics.forService('messaging').counter({ name: 'tollgate_x_total', help: 'x' }).add({}, 3);
    const response = await fetch(`${url}/metrics?x=1`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(parseMetrics(await response.text()).tollgate_x_total?.samples).toMatchObject([{ value: 3 }]);
  });

  it('answers 503 when the values are not there in time', async () => {
    const read = () => new Promise<{ x: number }>(() => undefined);
    const series = { x: { name: 'tollgate_x', help: 'x' } };
    metrics.forService('messaging').observe({ series, read, timeoutMs: 500 });
    expect((await fetch(`${url}/metrics`)).status).toBe(503);
  });
});

describe('GET /readyz', () => {
  const readyz = async () => {
    const response = await fetch(`${url}/readyz`);
    return [response.status, await response.json()];
  };

  it('reports a process that is starting', async () => {
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'starting' }]);
  });

  it('reports the reason of a service, and names it where there are several', async () => {
    let reason: string | undefined = 'draining';
    port.watch('messaging', () => reason);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'draining' }]);
    port.watch('edge-gateway', () => undefined);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'messaging: draining' }]);
    reason = undefined;
    expect(await readyz()).toEqual([200, { status: 'ready' }]);
  });
});

it('answers GET /healthz while no service is ready', async () => {
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
});

it('answers 404 and 405 to everything else', async () => {
  expect((await fetch(`${url}/api/v1/models`)).status).toBe(404);
  const response = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('does not read bodies', async () => {
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${url}/metrics`, { method: 'POST', headers: { 'Content-Length': '1000000000' } });
    sent.on('response', ({ statusCode }) => resolve(statusCode));
    sent.on('error', reject);
    sent.flushHeaders();
  });
  expect(status).toBe(405);
});

it('closes open connections when it stops', async () => {
  await fetch(`${url}/healthz`);
  await port.stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  port = await startHealthPort({ host: '127.0.0.1', port: 0, metrics });
});
