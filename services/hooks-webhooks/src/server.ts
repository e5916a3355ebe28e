import { createEventTransport, type EventTransport, eventTransportConfig } from '@tollgate/events';
import { migrate } from '@tollgate/postgres';
import { type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Clock, type Logger, type Stoppable, stopAll } from '@tollgate/runtime';
import type { Config } from './config.js';
import { webhookEvents } from './consumers/webhook-events.js';
import { type Context, createContext } from './context.js';
import { hookService } from './grpc/hook-service.js';
import { toolHookService } from './grpc/tool-hook-service.js';
import { startDeliveryWorker } from './workers/delivery-worker.js';
import { startSweeper } from './workers/sweeper.js';

export interface HooksOverrides {
  /** Joins the other services of this process instead of opening a port. */
  network?: LocalNetwork;
  logger?: Logger;
  clock?: Clock;
  /** A started transport that somebody else stops; for services that share one in a process. */
  transport?: EventTransport;
}

export interface RunningHooks {
  /** Absent when the service joined a local network. */
  address?: string;
  registrations: Registration[];
  /** Refuses new calls, takes no more events, ends the attempts in the air, closes the connections. */
  stop(): Promise<void>;
}

export async function migrateHooks(config: Config): Promise<void> {
  const { url, schema } = config.database;
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

export async function startHooks(config: Config, overrides: HooksOverrides = {}): Promise<RunningHooks> {
  await migrateHooks(config);
  const ctx = createContext(config, overrides);
  const started: Stoppable[] = [ctx];
  try {
    const worker = startDeliveryWorker(ctx);
    ctx.onWakeDeliveries(worker.wake);
    started.push(worker, startSweeper(ctx));
    started.push(await startConsumer(config, ctx, overrides.transport));
    const registrations = [hookService(ctx), toolHookService(ctx)];
    const { network } = overrides;
    if (network) {
      network.register(...registrations);
      started.push({ stop: async () => network.unregister(...registrations) });
      return { registrations, stop: () => stopAll(...started) };
    }
    const { host, port } = config.grpc;
    const rpc = await startRpcServer({ host, port, tls: config.tls, registrations });
    started.push(rpc);
    return { address: rpc.address, registrations, stop: () => stopAll(...started) };
  } catch (error) {
    await stopAll(...started);
    throw error;
  }
}

async function startConsumer(config: Config, ctx: Context, given: EventTransport | undefined): Promise<Stoppable> {
  if (given) return await given.subscribe(webhookEvents(ctx));
  const service = { name: 'hooks-webhooks', databaseUrl: config.database.url, logger: ctx.logger };
  const transport = createEventTransport(eventTransportConfig(config.events, service));
  await transport.start();
  await transport.subscribe(webhookEvents(ctx));
  return transport;
}
