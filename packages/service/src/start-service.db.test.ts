import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import type { EventTransport, Subscription } from '@tollgate/events';
import { MetricsRegistry } from '@tollgate/metrics';
import { emptyDatabase, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { checkHealth, GrpcNetwork, type Handlers, LocalNetwork, READINESS, register, startCall } from '@tollgate/rpc';
import { type Stoppable, silentLogger } from '@tollgate/runtime';
import { freePort } from '@tollgate/runtime/free-port';
import { controllableClock, parseMetrics, waitUntil } from '@tollgate/testkit';
import type { BuiltService } from './built-service.js';
import { defineConfig, type ServiceConfig } from './define-config.js';
import type { Health } from './health/health.js';
import { startHealthPort } from './health/health-port.js';
import { VERSION } from './metrics/version.js';
import type { Parts } from './parts.js';
import { type ServiceDefinition, startService } from './start-service.js';

let database: TestDatabase;
let folder: string;
let config: ServiceConfig;
/** What happened, in order. */
let log: string[];

const configFromEnv = defineConfig({ name: 'messaging', usesEvents: true, fields: {}, toConfig: () => ({}) });
const consumer: Subscription = { group: 'test', topics: ['t'], handler: async () => undefined };

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  folder = mkdtempSync(join(tmpdir(), 'tollgate-service-'));
  mkdirSync(join(folder, '0001_init'));
  writeFileSync(
    join(folder, '0001_init', 'migration.sql'),
    'CREATE TABLE notes (n integer); INSERT INTO notes VALUES (7)',
  );
  config = configFromEnv(environment());
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});
beforeEach(() => {
  log = [];
});

function environment(): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    DRAIN_TIMEOUT: '2s',
    LOG_LEVEL: 'silent',
  };
}

function logged(name: string): Stoppable {
  return { stop: async () => void log.push(name) };
}

function messages(listMessages: () => Promise<object> = async () => ({})) {
  const unused = MessagingService.methods.map(({ localName }) => [localName, () => ({})]);
  const handlers = { ...Object.fromEntries(unused), listMessages } as unknown as Handlers<typeof MessagingService>;
  return register(MessagingService, handlers);
}

function define(build: (parts: Parts) => Partial<BuiltService>): ServiceDefinition<ServiceConfig> {
  return {
    name: 'messaging',
    configFromEnv,
    migrations: pathToFileURL(`${folder}/`),
    build: (parts) => ({ rpc: [messages()], ...build(parts) }),
  };
}

describe('startService', () => {
  it('migrates the database, serves over gRPC and reports readiness', async () => {
    let reason: string | undefined;
    const service = define(({ openPool }) => {
      const pool = openPool();
      const read = async () => ({ hasMore: (await pool.query('SELECT n FROM notes')).rows[0].n === 7 });
      return { rpc: [messages(read)], notReadyBecause: () => reason };
    });
    const running = await startService(service, config, { logger: silentLogger });
    const network = new GrpcNetwork({ addresses: { 'tollgate.messaging.v1': running.address! } });
    await expect(network.client(MessagingService).listMessages({}, startCall())).resolves.toMatchObject({
      hasMore: true,
    });
    expect(await checkHealth(running.address!, 1_000, { service: READINESS })).toBe(true);
    reason = 'the writer is down';
    expect(await checkHealth(running.address!, 1_000, { service: READINESS })).toBe(false);
    await network.close();
    await running.stop();
  });

  it('drains calls first, then stops servers, consumers, workers and connections in reverse order', async () => {
    const transport = { subscribe: async () => logged('consumer') } as unknown as EventTransport;
    const service = define(({ keep }) => {
      keep(logged('connection'));
      keep(logged('worker'));
      return {
        consumers: [consumer],
        listen: async () => ({ address: '127.0.0.1:1', ...logged('http') }),
        onDrain: () => void log.push('drain'),
      };
    });
    const running = await startService(service, config, { logger: silentLogger, transport });
    expect(running.httpAddress).toBe('127.0.0.1:1');
    await running.stop();
    await running.stop();
    expect(log).toEqual(['drain', 'http', 'consumer', 'worker', 'connection', 'drain']);
    expect(await checkHealth(running.address!, 1_000)).toBe(false);
  });

  it('joins a local network, and leaves it on stop', async () => {
    const network = new LocalNetwork();
    const client = network.client(MessagingService);
    const running = await startService(
      define(() => ({})),
      config,
      { logger: silentLogger, network },
    );
    expect(running.address).toBeUndefined();
    await expect(client.listMessages({}, startCall())).resolves.toBeDefined();
    await running.stop();
    await expect(client.listMessages({}, startCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('closes what a failed build has opened', async () => {
    const service = define(({ keep }) => {
      keep(logged('connection'));
      throw new Error('no catalog');
    });
    await expect(startService(service, config, { logger: silentLogger })).rejects.toThrow('no catalog');
    expect(log).toEqual(['connection']);
  });

  it('fails when its consumers cannot subscribe', async () => {
    const transport = { subscribe: () => Promise.reject(new Error('no broker')) } as unknown as EventTransport;
    const service = define(({ keep }) => {
      keep(logged('worker'));
      return { consumers: [consumer] };
    });
    await expect(startService(service, config, { logger: silentLogger, transport })).rejects.toThrow('no broker');
    expect(log).toEqual(['worker']);
  });

  it('starts before its consumers can subscribe, and repeats their subscription', async () => {
    let failures = 0;
    const subscribe = async () => {
      if (failures++ < 2) throw new Error('no broker');
      log.push('subscribed');
      return logged('unsubscribed');
    };
    const transport = { subscribe } as unknown as EventTransport;
    const service = define(() => ({ consumers: [consumer], consumesInBackground: true }));
    const running = await startService(service, config, { logger: silentLogger, transport });
    await waitUntil(() => log.includes('subscribed'), { what: 'the subscription' });
    await running.stop();
    expect(log).toEqual(['subscribed', 'unsubscribed']);
  });
});

describe('the health of a service', () => {
  const peers = { 'tollgate.billing.v1': '127.0.0.1:1' };

  async function readReport(running: { health: Health }): Promise<Record<string, unknown>> {
    await running.health.refresh();
    const { status, dependencies } = running.health.report;
    return { status, ...Object.fromEntries(dependencies.map(({ name, state, reason }) => [name, reason ?? state])) };
  }

  it('reports ready with its database and events', async () => {
    const running = await startService(
      define(() => ({})),
      config,
      { logger: silentLogger },
    );
    expect(await readReport(running)).toEqual({ status: 'ready', database: 'up', descriptors: 'up', events: 'up' });
    await running.stop();
  });

  it('takes calls as degraded while a peer and Kafka are unreachable, however long', async () => {
    const clock = controllableClock();
    const kafka = configFromEnv({ ...environment(), KAFKA_BROKERS: '127.0.0.1:1' });
    const running = await startService(
      define(() => ({})),
      { ...kafka, peers },
      { logger: silentLogger, clock },
    );
    await running.health.refresh();
    clock.advance({ minutes: 10 });
    let report: Record<string, unknown> = {};
    const isWhole = async () => {
      report = await readReport(running);
      return Object.values(report).every((reason) => !String(reason).startsWith('no answer'));
    };
    await waitUntil(isWhole, { what: 'an answer of each dependency in time' });
    expect(report).toEqual({
      status: 'degraded',
      database: 'up',
      descriptors: 'up',
      kafka: 'connection refused; events wait in the outbox',
      'billing-ledger': 'connection refused; calls to it fail',
    });
    expect(await checkHealth(running.address!, 1_000, { service: READINESS })).toBe(true);
    await running.stop();
  });

  it('takes no calls once its database has failed for some seconds, and takes them again after it', async () => {
    const clock = controllableClock();
    const own = await emptyDatabase(import.meta.url);
    const running = await startService(
      define(() => ({})),
      configFromEnv({ ...environment(), DATABASE_URL: own.url }),
      { logger: silentLogger, clock },
    );
    const isReady = () => checkHealth(running.address!, 1_000, { service: READINESS });
    const name = new URL(own.url).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await database.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    };
    await setReadOnly('on');
    await waitUntil(async () => (await readReport(running)).database === 'the database is read-only', {
      what: 'the failure',
    });
    expect(await isReady()).toBe(true);
    clock.advance({ seconds: 5 });
    expect(await readReport(running)).toMatchObject({ status: 'unavailable' });
    expect(await isReady()).toBe(false);
    await setReadOnly('off');
    await waitUntil(async () => (await readReport(running)).status === 'ready', { what: 'the recovery' });
    expect(await isReady()).toBe(true);
    await running.stop();
    await own.drop();
  });

  it('reports why a peer takes no calls', async () => {
    const peer = await startService(
      define(() => ({ notReadyBecause: () => 'the writer is down' })),
      config,
      { logger: silentLogger },
    );
    const running = await startService(
      define(() => ({})),
      { ...config, peers: { 'tollgate.messaging.v1': peer.address! } },
      { logger: silentLogger },
    );
    expect(await readReport(running)).toMatchObject({ messaging: 'the writer is down; calls to it fail' });
    await running.stop();
    await peer.stop();
  });

  it('takes no calls from the first moment of a stop', async () => {
    const reasons: unknown[] = [];
    const service = define(({ health }) => ({ onDrain: () => void reasons.push(health.report.reasons) }));
    const running = await startService(service, config, { logger: silentLogger });
    await running.stop();
    expect(reasons).toEqual([['draining']]);
  });
});

describe('the health port', () => {
  const withPort = () => configFromEnv({ ...environment(), HEALTH_HOST: '127.0.0.1', HEALTH_PORT: '0' });
  const readyz = async (address: string) => (await fetch(`http://${address}/readyz`)).json();
  const page = async (address: string) => parseMetrics(await (await fetch(`http://${address}/metrics`)).text());

  it('shows the series of the process, its pools, its dependencies and its calls', async () => {
    const service = define(({ openPool, health }) => {
      openPool();
      openPool({ max: 3, applicationName: 'queue' });
      health.watch({ name: 'redis', check: () => Promise.reject(new Error('unavailable')) });
      return {};
    });
    const running = await startService(service, withPort(), { logger: silentLogger });
    await waitUntil(() => running.health.report.dependencies.length === 4, { what: 'the first checks' });
    const network = new GrpcNetwork({ addresses: { 'tollgate.messaging.v1': running.address! } });
    await network.client(MessagingService).listMessages({}, startCall());
    const found = await page(running.healthAddress!);
    const pickValues = (name: string, ...labels: string[]) =>
      Object.fromEntries(
        (found[name]?.samples ?? []).map((each) => [labels.map((label) => each.labels[label]).join(' '), each.value]),
      );
    for (const { samples } of Object.values(found)) {
      for (const { labels } of samples) expect(labels.service).toBe('messaging');
    }
    expect(pickValues('tollgate_build_info', 'version')).toEqual({ [VERSION]: 1 });
    expect(pickValues('tollgate_ready', 'service')).toEqual({ messaging: 1 });
    expect(pickValues('tollgate_dependency_up', 'dependency')).toEqual({
      database: 1,
      descriptors: 1,
      events: 1,
      redis: 0,
    });
    expect(pickValues('tollgate_db_pool_connections_max', 'pool')).toEqual({ main: 10, queue: 3 });
    expect(Object.keys(pickValues('tollgate_db_pool_connections', 'pool', 'state'))).toEqual([
      'main idle',
      'main used',
      'queue idle',
      'queue used',
    ]);
    expect(pickValues('tollgate_db_pool_waiting', 'pool')).toEqual({ main: 0, queue: 0 });
    expect(pickValues('tollgate_rpc_requests_total', 'method', 'code')).toEqual({
      'MessagingService/ListMessages OK': 1,
    });
    expect(found.process_cpu_seconds_total?.samples[0]?.value).toBeGreaterThan(0);
    expect(found.process_resident_memory_bytes?.samples[0]?.value).toBeGreaterThan(10_000_000);
    expect(found.nodejs_heap_used_bytes?.samples[0]?.value).toBeGreaterThan(1_000_000);
    await network.close();
    await running.stop();
  });

  it('answers during the drain, and closes last', async () => {
    const seen: unknown[] = [];
    let port = '';
    const service = define(({ keep }) => {
      keep({ stop: async () => void seen.push(await readyz(port), Object.keys(await page(port)).length > 0) });
      return {};
    });
    const running = await startService(service, withPort(), { logger: silentLogger });
    port = running.healthAddress!;
    expect(await readyz(port)).toMatchObject({ status: 'ready' });
    await running.stop();
    expect(seen).toMatchObject([{ status: 'unavailable', reason: 'draining' }, true]);
    await expect(readyz(port)).rejects.toThrow();
  });

  it('reports the reason of the service', async () => {
    const service = define(() => ({ notReadyBecause: () => 'the writer is down' }));
    const running = await startService(service, withPort(), { logger: silentLogger });
    expect(await readyz(running.healthAddress!)).toMatchObject({ status: 'unavailable', reason: 'the writer is down' });
    const found = await page(running.healthAddress!);
    expect(found.tollgate_ready?.samples).toMatchObject([{ value: 0 }]);
    await running.stop();
  });

  it('serves all services of a process on one port, and drops the series of a stopped one', async () => {
    const metrics = new MetricsRegistry();
    const health = await startHealthPort({ host: '127.0.0.1', port: 0, metrics });
    const network = new LocalNetwork();
    const service = define(() => ({}));
    const running = await startService(service, withPort(), { logger: silentLogger, network, metrics, health });
    expect(running.healthAddress).toBeUndefined();
    expect(await readyz(health.address)).toMatchObject({ status: 'ready' });
    expect((await page(health.address)).tollgate_ready?.samples).toHaveLength(1);
    expect(await page(health.address)).not.toHaveProperty('process_cpu_seconds_total');
    await running.stop();
    expect(await readyz(health.address)).toMatchObject({ reason: 'draining' });
    expect(await page(health.address)).toEqual({});
    await health.stop();
  });

  it('stops the start when its port is in use', async () => {
    const taken = await startHealthPort({ host: '127.0.0.1', port: 0, metrics: new MetricsRegistry() });
    const port = taken.address.split(':')[1]!;
    const inUse = configFromEnv({ ...environment(), HEALTH_HOST: '127.0.0.1', HEALTH_PORT: port });
    const start = startService(
      define(() => ({})),
      inUse,
      { logger: silentLogger },
    );
    await expect(start).rejects.toThrow('EADDRINUSE');
    await taken.stop();
  });
});

describe('a database that is unavailable at the start', () => {
  it('delays the start, which readiness reports', async () => {
    const { hostname, port } = new URL(database.url);
    const relay = createServer((incoming) => {
      const outgoing = connect(Number(port), hostname);
      incoming.pipe(outgoing).pipe(incoming);
      incoming.on('error', () => outgoing.destroy());
      outgoing.on('error', () => incoming.destroy());
    });
    const url = new URL(database.url);
    url.host = `127.0.0.1:${await freePort()}`;
    const health = await startHealthPort({ host: '127.0.0.1', port: 0, metrics: new MetricsRegistry() });
    const starting = startService(
      define(() => ({})),
      configFromEnv({ ...environment(), DATABASE_URL: url.href }),
      { logger: silentLogger, health },
    );
    const readiness = async () => (await fetch(`http://${health.address}/readyz`)).text();
    await waitUntil(async () => (await readiness()).includes('starting; database: '), {
      what: 'readiness that names the database',
    });
    await new Promise<void>((resolve) => relay.listen(Number(url.port), '127.0.0.1', resolve));
    const running = await starting;
    expect(await checkHealth(running.address!, 1_000)).toBe(true);
    await running.stop();
    await health.stop();
    await new Promise((resolve) => relay.close(resolve));
  });
});

describe('a signal during a start that waits for the database', () => {
  it('ends the start with the reason of the signal', async () => {
    const health = await startHealthPort({ host: '127.0.0.1', port: 0, metrics: new MetricsRegistry() });
    const stopping = new AbortController();
    const starting = startService(
      define(() => ({})),
      configFromEnv({ ...environment(), DATABASE_URL: 'postgresql://127.0.0.1:1/none' }),
      { logger: silentLogger, health, stopping: stopping.signal },
    );
    const readiness = async () => (await fetch(`http://${health.address}/readyz`)).text();
    await waitUntil(async () => (await readiness()).includes('starting; database: '), {
      what: 'readiness that names the database',
    });
    stopping.abort();
    await expect(starting).rejects.toBe(stopping.signal.reason);
    await health.stop();
  });
});

describe('the event transport', () => {
  const background = { consumers: [consumer], consumesInBackground: true };

  it('lets a service with background consumers start and stop while it is unavailable', async () => {
    const unreachable = configFromEnv({ ...environment(), EVENTS_DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    const running = await startService(
      define(() => background),
      unreachable,
      { logger: silentLogger },
    );
    expect(await checkHealth(running.address!, 1_000)).toBe(true);
    await running.stop();
  });

  it('prevents the start of other services while it is unavailable', async () => {
    const unreachable = configFromEnv({ ...environment(), EVENTS_DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    const service = define(() => ({ consumers: [consumer] }));
    await expect(startService(service, unreachable, { logger: silentLogger })).rejects.toThrow('ECONNREFUSED');
  });
});
