import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { GrpcNetwork, type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Clock, createLogger, type Logger, type Stoppable, stopAll, systemClock } from '@tollgate/runtime';
import type { Config } from './config.js';
import { type Context, createContext } from './context.js';
import { inferenceService } from './grpc/inference-service.js';
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

export async function startInference(config: Config, overrides: InferenceOverrides = {}): Promise<RunningInference> {
  const logger = overrides.logger ?? createLogger('gateway-inference', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const peers = overrides.network ?? grpcNetwork(config);
  const ctx = createContext({ config, logger, clock, network: peers });
  const registrations = [inferenceService(ctx)];
  const watch = startTurnWatch(ctx.liveTurns, clock);
  const network: Stoppable = { stop: async () => (overrides.network ? undefined : peers.close()) };
  const providers: Stoppable = { stop: () => closeProviders(ctx) };
  const turns: Stoppable = { stop: () => drainTurns(ctx) };
  if (overrides.network) {
    overrides.network.register(...registrations);
    const leave = { stop: async () => overrides.network?.unregister(...registrations) };
    return { registrations, stop: () => stopAll(network, providers, watch, turns, leave) };
  }
  const { grpcHost: host, grpcPort: port, tls, drainMs } = config;
  try {
    const rpc = await startRpcServer({ host, port, tls, registrations, drainMs });
    return { address: rpc.address, registrations, stop: () => stopAll(network, providers, watch, turns, rpc) };
  } catch (error) {
    await stopAll(network, providers, watch);
    throw error;
  }
}

function grpcNetwork(config: Config): GrpcNetwork {
  return new GrpcNetwork({ tls: config.tls, addresses: { [BillingService.typeName]: config.billingAddress } });
}

async function closeProviders(ctx: Context): Promise<void> {
  await Promise.all([...ctx.providers.values()].map((provider) => provider.close()));
}

/** Running turns may finish; what is still running then is cut and settled with what it delivered. */
async function drainTurns(ctx: Context): Promise<void> {
  const until = Date.now() + ctx.config.drainMs;
  while (ctx.liveTurns.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const turn of [...ctx.liveTurns]) turn.cut();
  await ctx.settlements.drain(Math.min(ctx.config.drainMs, 5_000));
}
