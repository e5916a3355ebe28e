import type { Subscription } from '@tollgate/events';
import { type MigrateResult, migrate } from '@tollgate/postgres';
import { type Registration, startRpcServer } from '@tollgate/rpc';
import type { Stoppable } from '@tollgate/runtime';
import type { Commands } from './cli/command.js';
import type { ConfigReader, ServiceConfig } from './define-config.js';
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

export interface BuiltService {
  /** The RPC services that it serves. */
  rpc: readonly Registration[];
  consumers?: readonly Subscription[];
  /** True: the service starts while the event transport is unavailable, and subscribes later. */
  consumesInBackground?: boolean;
  /** Opens a server beside gRPC. It starts after the consumers and drains right after gRPC. */
  listen?(): Promise<Stoppable & { address: string }>;
  /** Runs first in a stop, before calls drain: ends what would hold up the drain. */
  onDrain?(): void;
  /** Checked by every readiness probe; returns the reason why the process should get no calls now. */
  notReadyBecause?(): string | undefined;
}

export interface RunningService extends Stoppable {
  /** host:port of gRPC; absent in a service that joined a local network. */
  address?: string;
  /** host:port of the server that `listen` opened. */
  httpAddress?: string;
  registrations: readonly Registration[];
  /** Drains calls, stops consumers, then workers, then closes connections. A repeated call does nothing. */
  stop(): Promise<void>;
}

/** Starts a service: migrations, parts, workers, consumers, and last the servers. A failed start closes everything. */
export async function startService<Config extends ServiceConfig>(
  service: ServiceDefinition<Config>,
  config: Config,
  shared: SharedParts = {},
): Promise<RunningService> {
  await migrateService(service, config);
  const parts = openParts(service.name, config, shared);
  try {
    const built = await service.build(parts);
    await parts.connect();
    const { consumers = [], consumesInBackground = false } = built;
    if (consumesInBackground) startConsumersInBackground(parts, consumers);
    else await startConsumers(parts, consumers);
    const http = await built.listen?.();
    if (http) parts.keep(http);
    const address = await serve(parts, built, shared);
    return {
      ...(address !== undefined && { address }),
      ...(http && { httpAddress: http.address }),
      registrations: built.rpc,
      async stop() {
        built.onDrain?.();
        await parts.stop();
      },
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** Joins the local network, or opens the gRPC port and returns its address. */
async function serve(
  { config, keep }: Parts,
  { rpc, notReadyBecause }: BuiltService,
  { network }: SharedParts,
): Promise<string | undefined> {
  const registrations = [...rpc];
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
    ...(notReadyBecause && { notReadyBecause }),
  });
  return keep(server).address;
}

/** Applies the migrations of the service's schema. Safe to run in several processes at the same time. */
export async function migrateService<Config extends ServiceConfig>(
  { migrations: directory }: ServiceDefinition<Config>,
  { database: { url, schema } }: Config,
): Promise<MigrateResult> {
  return migrate({ url, schema, directory });
}
