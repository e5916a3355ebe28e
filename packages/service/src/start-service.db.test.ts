import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import type { EventTransport, Subscription } from '@tollgate/events';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { checkHealth, GrpcNetwork, type Handlers, LocalNetwork, READINESS, register, startCall } from '@tollgate/rpc';
import { type Stoppable, silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { defineConfig, type ServiceConfig } from './define-config.js';
import type { Parts } from './parts.js';
import { type BuiltService, type ServiceDefinition, startService } from './start-service.js';

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
