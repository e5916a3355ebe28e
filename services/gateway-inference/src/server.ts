import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { migrate } from '@tollgate/postgres';
import { GrpcNetwork, type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import {
  type Clock,
  createLogger,
  createLoop,
  type Logger,
  type Stoppable,
  stopAll,
  systemClock,
} from '@tollgate/runtime';
import type { Config } from './config.js';
import { type Context, createContext } from './context.js';
import { compatService } from './grpc/compat-service.js';
import { imageService } from './grpc/image-service.js';
import { inferenceService, toolService } from './grpc/inference-service.js';
import { expireImages } from './workers/expire-images.js';
import { startTurnWatch } from './workers/turn-watch.js';

export interface InferenceOverrides {
  /** Joins the other services of this process instead of opening a port. */
  network?: LocalNetwork;
  logger?: Logger;
  clock?: Clock;
}

export interface RunningInference {
  /** Absent when the service joined a local network. */
  address?: string;
  registrations: Registration[];
  /** Refuses new turns, finishes and settles the running ones, closes connections. */
  stop(): Promise<void>;
}

/** How often expired images lose their files. */
const EXPIRE_IMAGES_MS = 10 * 60_000;

export async function migrateInference({ database: { url, schema } }: Config): Promise<void> {
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

export async function startInference(config: Config, overrides: InferenceOverrides = {}): Promise<RunningInference> {
  const logger = overrides.logger ?? createLogger('gateway-inference', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const peers = overrides.network ?? grpcNetwork(config);
  await migrateInference(config);
  const ctx = createContext({ config, logger, clock, network: peers });
  await ctx.db.$connect(); // loads its query compiler now, not under the first request
  const registrations = [inferenceService(ctx), imageService(ctx), toolService(ctx), compatService(ctx)];
  const watch = startTurnWatch(ctx.liveTurns, clock);
  const expiry = createLoop({
    name: 'expire images',
    intervalMs: EXPIRE_IMAGES_MS,
    logger,
    run: () => expireImages(ctx),
  });
  const stores: Stoppable = { stop: () => closeStores(ctx) };
  const network: Stoppable = { stop: async () => (overrides.network ? undefined : peers.close()) };
  const providers: Stoppable = { stop: () => closeProviders(ctx) };
  const turns: Stoppable = { stop: () => drainTurns(ctx) };
  if (overrides.network) {
    overrides.network.register(...registrations);
    const leave = { stop: async () => overrides.network?.unregister(...registrations) };
    return { registrations, stop: () => stopAll(stores, network, providers, watch, expiry, turns, leave) };
  }
  const { grpcHost: host, grpcPort: port, tls, drainMs } = config;
  try {
    const rpc = await startRpcServer({ host, port, tls, registrations, drainMs });
    return {
      address: rpc.address,
      registrations,
      stop: () => stopAll(stores, network, providers, watch, expiry, turns, rpc),
    };
  } catch (error) {
    await stopAll(stores, network, providers, watch, expiry);
    throw error;
  }
}

function grpcNetwork(config: Config): GrpcNetwork {
  const addresses = {
    [BillingService.typeName]: config.billingAddress,
    [HoldService.typeName]: config.billingAddress,
    [ToolStateService.typeName]: config.agentsAddress,
    [ToolHookService.typeName]: config.hooksAddress,
    [MessagingService.typeName]: config.messagingAddress,
  };
  return new GrpcNetwork({ tls: config.tls, addresses });
}

async function closeStores({ db, pool, responseCache }: Context): Promise<void> {
  await responseCache.stop();
  await db.$disconnect();
  if (!pool.ending) await pool.end();
}

async function closeProviders(ctx: Context): Promise<void> {
  const providers = [...ctx.providers.values()].map((provider) => provider.close());
  await Promise.all([...providers, ctx.webSearch.close(), ctx.web?.client.close(), ctx.web?.reader.close()]);
}

/** Running turns may finish; what is still running then is cut and settled with what it delivered. */
async function drainTurns(ctx: Context): Promise<void> {
  const until = Date.now() + ctx.config.drainMs;
  while (ctx.liveTurns.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const turn of [...ctx.liveTurns]) turn.cut();
  const drainMs = Math.min(ctx.config.drainMs, 5_000);
  await Promise.all([ctx.settlements.drain(drainMs), ctx.ledger.endings.drain(drainMs)]);
}
