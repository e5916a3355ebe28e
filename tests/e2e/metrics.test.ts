// The metrics of a system under load, as Prometheus sees them.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@tollgate/local';
import { type MetricFamily, parseMetrics, responsesBody } from '@tollgate/testkit';
import { UPSTREAM_MODEL } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const OF_EVERY_SERVICE = ['tollgate_ready', 'tollgate_dependency_up', 'tollgate_db_pool_connections'];
const OF_A_PROCESS = [
  'nodejs_heap_used_bytes',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'tollgate_build_info',
  'tollgate_event_loop_delay_seconds',
];
const OF_THE_EDGE = [
  'tollgate_http_first_byte_seconds',
  'tollgate_http_request_duration_seconds',
  'tollgate_http_requests_in_flight',
  'tollgate_http_requests_total',
  'tollgate_refusals_total',
];
const OF_INFERENCE = [
  'tollgate_provider_circuit_open',
  'tollgate_provider_request_duration_seconds',
  'tollgate_provider_requests_total',
  'tollgate_rpc_request_duration_seconds',
  'tollgate_rpc_requests_total',
  'tollgate_tokens_total',
];

/** Allows for seven processes to start on a busy machine. */
const START_MS = 180_000;

describe('a system in separate processes', () => {
  const system = useSystem({ mode: 'separate processes' });

  beforeAll(async () => {
    const project = await system.project();
    await project.api.post('/responses', responsesBody('hello', { model: UPSTREAM_MODEL }));
    await project.api.post('/responses', responsesBody('hello', { model: 'no/such-model' }));
    await (await project.api.ndjson('/responses', responsesBody('hello', { stream: true }))).all();
  }, START_MS);

  async function pages(): Promise<Record<string, MetricFamily>[]> {
    const urls = new Set(Object.values(system.stack.services).map(({ health }) => `${health}/metrics`));
    expect(urls.size).toBe(SERVICE_NAMES.length);
    return Promise.all([...urls].map(async (url) => parseMetrics(await (await fetch(url)).text())));
  }

  /** Returns the services that expose a metric. */
  async function servicesWith(name: string): Promise<string[]> {
    const samples = (await pages()).flatMap((page) => page[name]?.samples ?? []);
    return [...new Set(samples.map(({ labels }) => labels.service ?? ''))].sort();
  }

  it.each(OF_EVERY_SERVICE)('shows %s of every service', async (name) => {
    expect(await servicesWith(name)).toEqual(expect.arrayContaining([...SERVICE_NAMES]));
  });

  it.each(OF_A_PROCESS)('shows %s once per process', async (name) => {
    expect(await servicesWith(name)).toEqual([...SERVICE_NAMES].sort());
  });

  it.each(OF_THE_EDGE)('shows %s of the edge', async (name) => {
    expect(await servicesWith(name)).toEqual(['edge-gateway']);
  });

  it.each(OF_INFERENCE)('shows %s of inference', async (name) => {
    expect(await servicesWith(name)).toContain('gateway-inference');
  });

  it('reports readiness on every health port, and shows nothing on the public one', async () => {
    for (const { health } of Object.values(system.stack.services)) {
      expect((await fetch(`${health}/readyz`)).status).toBe(200);
    }
    expect((await fetch(`${new URL(system.baseUrl).origin}/metrics`)).status).toBe(404);
  });
});
