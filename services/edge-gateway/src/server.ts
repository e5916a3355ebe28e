import type { EventTransport } from '@tollgate/events';
import { createPool, migrate } from '@tollgate/postgres';
import { type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Clock, createLogger, type Logger, type Stoppable, stopAll, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import { createClients, grpcNetwork } from './clients/clients.js';
import type { EdgeConfig } from './config.js';
import { startCustomerEvents } from './consumers/customer-events.js';
import { createContext } from './context.js';
import { createApp } from './http/app.js';
import { routes } from './http/routes/index.js';
import { startHttpServer } from './http/server.js';
import { grantOwnerCredit } from './operations/sign-in/grant-owner-credit.js';
import { rotateStoredSigningKey } from './operations/tokens/signing-keys.js';
import { startWorkers } from './workers/workers.js';

export interface EdgeOverrides {
  /** Reaches the other services in this process and opens no gRPC port. */
  network?: LocalNetwork;
  logger?: Logger;
  clock?: Clock;
  /** A started transport that somebody else stops; for services that share one in a process. */
  transport?: EventTransport;
}

export interface RunningEdge {
  /** host:port of HTTP. */
  address: string;
  /** host:port of gRPC (health only); absent when the service joined a local network. */
  grpcAddress?: string;
  /** Empty: nobody calls the front door from inside. */
  registrations: Registration[];
  /** Drains, then closes everything. */
  stop(): Promise<void>;
}

export async function migrateEdgeGateway(config: EdgeConfig): Promise<void> {
  const { url, schema } = config.database;
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

/** Makes a successor of the stored signing key. @throws Error when the configuration gives the keys */
export async function rotateSigningKey(config: EdgeConfig): Promise<{ kid: string }> {
  if (config.tokens.privateKeys !== undefined) throw new Error('rotate by changing JWT_PRIVATE_KEYS');
  return withPool(config, (pool) => rotateStoredSigningKey(pool, config.pepper, systemClock.now()));
}

/** Adds to the prepaid balance of an owner; see `grantOwnerCredit`. */
export async function grantCredit(
  config: EdgeConfig,
  args: { email: string; cents: string; cause: string | undefined },
): Promise<string> {
  const network = grpcNetwork(config);
  try {
    return await withPool(config, (pool) => grantOwnerCredit({ pool, billing: createClients(network).billing }, args));
  } finally {
    await network.close();
  }
}

async function withPool<Result>(config: EdgeConfig, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  await migrateEdgeGateway(config);
  const pool = createPool({ url: config.database.url, schema: config.database.schema, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

export async function startEdgeGateway(config: EdgeConfig, overrides: EdgeOverrides = {}): Promise<RunningEdge> {
  await migrateEdgeGateway(config);
  const logger = overrides.logger ?? createLogger('edge-gateway', config.logLevel);
  const started: Stoppable[] = [];
  try {
    const network = overrides.network ?? grpcNetwork(config);
    // A local network belongs to whoever made it.
    if (!overrides.network) started.push({ stop: () => network.close() });
    const { ctx, close } = await createContext({ config, logger, clock: overrides.clock ?? systemClock, network });
    started.push({ stop: close }, startWorkers(ctx), startCustomerEvents(ctx, overrides.transport));
    const http = await startHttpServer(createApp(ctx, routes), config.http, ctx.openStreams);
    started.push({ stop: () => http.stop(config.http.drainMs) });
    const { host, port } = config.grpc;
    const rpc = overrides.network
      ? undefined
      : await startRpcServer({ host, port, tls: config.tls, registrations: [] });
    if (rpc) started.push(rpc);
    return {
      address: http.address,
      ...(rpc && { grpcAddress: rpc.address }),
      registrations: [],
      stop() {
        ctx.lifecycle.isDraining = true;
        return stopAll(...started);
      },
    };
  } catch (error) {
    await stopAll(...started);
    throw error;
  }
}
