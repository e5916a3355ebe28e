import { type MigrateResult, migrate } from '@tollgate/postgres';
import { measureCalls, type Registration, startRpcServer } from '@tollgate/rpc';
import type { Logger, Stoppable } from '@tollgate/runtime';
import { awaitDatabase } from './await-database.js';
import type { BuiltService } from './built-service.js';
import type { Commands } from './cli/command.js';
import type { ConfigReader, ServiceConfig } from './define-config.js';
import type { Health } from './health/health.js';
import { startHealth } from './health/start-health.js';
import { observeHealth } from './metrics/observe-health.js';
import { publishMetrics } from './metrics/publish-metrics.js';
import { openParts, type Parts, type SharedParts } from './parts.js';
import { startConsumers, startConsumersInBackground } from './start-consumers.js';

export interface ServiceDefinition<Config extends ServiceConfig> {
  /** In kebab case: the name in logs, of the Kafka client, and of the source of events. */
  name: string;
  configFromEnv: ConfigReader<Config>;
  /** The folder of the SQL migrations; they run before everything else. */
  migrations: URL;
  /** Builds the service and starts its workers; they and all connections are opened or kept by `parts`. */
  build(parts: Parts<Config>): Promise<BuiltService> | BuiltService;
  /** Tasks that an operator runs in the service's image. The schema is migrated before. */
  commands?: Commands<Config>;
}

export interface RunningService extends Stoppable {
  health: Health;
  /** host:port of gRPC; absent in a service that joined a local network. */
  address?: string;
  /** host:port of the server that `listen` opened. */
  httpAddress?: string;
  /** host:port of the health port; absent without one, and in a service that shares that of its process. */
  healthAddress?: string;
  registrations: readonly Registration[];
  /** Drains calls, stops consumers, then workers, then closes connections. A repeated call does nothing. */
  stop(): Promise<void>;
}

/** Starts a service: its health port, migrations, parts, workers, consumers, and last the servers. A failed start closes everything. */
export async function startService<Config extends ServiceConfig>(
  service: ServiceDefinition<Config>,
  config: Config,
  shared: SharedParts = {},
): Promise<RunningService> {
  const parts = openParts(service.name, config, shared);
  try {
    const healthAddress = await openHealth(parts, shared);
    const { health, logger } = parts;
    await awaitDatabase(() => migrateService(service, config, { logger, signal: shared.stopping }), {
      health,
      logger,
      signal: shared.stopping,
    });
    const built = await service.build(parts);
    await parts.connect();
    const { consumers = [], consumesInBackground = false } = built;
    if (consumesInBackground) startConsumersInBackground(parts, consumers);
    else await startConsumers(parts, consumers);
    startHealth(parts, built);
    const http = await built.listen?.();
    if (http) parts.keep(http);
    const address = await serve(parts, built, shared);
    return {
      ...(address !== undefined && { address }),
      ...(healthAddress !== undefined && { healthAddress }),
      ...(http && { httpAddress: http.address }),
      health: parts.health,
      registrations: built.rpc,
      async stop() {
        parts.health.drain();
        built.onDrain?.();
        await parts.stop();
      },
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** Opens the health port of the process, or joins it. Returns the address of an own one. */
async function openHealth(parts: Parts, shared: SharedParts): Promise<string | undefined> {
  const { config, health, metrics, processMetrics, keep } = parts;
  observeHealth(metrics, health);
  const own = shared.metrics ? undefined : keep(await publishMetrics(processMetrics, metrics, config)).health;
  const port = shared.health ?? own;
  port?.watch(parts.name, health);
  return own?.address;
}

/** Joins the local network, or opens the gRPC port and returns its address. */
async function serve(
  { config, keep, health, metrics }: Parts,
  { rpc }: BuiltService,
  { network }: SharedParts,
): Promise<string | undefined> {
  const registrations = measureCalls(rpc, metrics);
  if (network) {
    network.register(...registrations);
    keep({ stop: async () => network.unregister(...registrations) });
    return undefined;
  }
  const { grpc, tls, drainMs } = config;
  const server = await startRpcServer({
    ...grpc,
    tls,
    drainMs,
    registrations,
    notReadyBecause: () => health.notReadyBecause,
  });
  return keep(server).address;
}

/** Applies the migrations of the service's schema. Safe to run in several processes at the same time. */
export async function migrateService<Config extends ServiceConfig>(
  { migrations: directory }: ServiceDefinition<Config>,
  { database: { url, schema } }: Config,
  { logger, signal }: { logger?: Logger; signal?: AbortSignal | undefined } = {},
): Promise<MigrateResult> {
  const onLocked = (migration: string) => logger?.warn({ migration }, 'migration waits for a lock; trying again');
  return migrate({ url, schema, directory, onLocked, signal });
}
