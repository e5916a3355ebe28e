import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { silentLogger, systemClock } from '@tollgate/runtime';
import { parseMetrics } from '@tollgate/testkit';
import { Health } from './health.js';
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
    const [messaging, edge] = [new Health(systemClock, silentLogger), new Health(systemClock, silentLogger)];
    port.watch('messaging', messaging);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'starting', dependencies: [] }]);
    port.watch('edge-gateway', edge);
    edge.start();
    const services = (status: string) => ({
      messaging: { status, dependencies: [] },
      'edge-gateway': { status: 'ready', dependencies: [] },
    });
    const reason = 'messaging: starting';
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason, services: services('unavailable') }]);
    messaging.start();
    expect(await readyz()).toEqual([200, { status: 'ready', services: services('ready') }]);
  });

  it('answers 200 while a dependency that is not required fails', async () => {
    const health = new Health(systemClock, silentLogger);
    health.watch({ name: 'redis', check: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:6379')) });
    port.watch('edge-gateway', health);
    await health.refresh();
    health.start();
    const [status, body] = await readyz();
    await health.stop();
    const dependencies = [
      { name: 'redis', state: 'degraded', reason: 'connection refused', since: expect.any(String) },
    ];
    expect([status, body]).toEqual([200, { status: 'degraded', dependencies }]);
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
