import { migrate } from '@tollgate/postgres';
import { type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Stoppable, stopAll } from '@tollgate/runtime';
import type { Config } from './config.js';
import { customerEvents } from './consumers/customer-events.js';
import { type ContextOverrides, createContext } from './context.js';
import { agentService } from './grpc/agent-service.js';
import { sessionService } from './grpc/session-service.js';
import { sqlService } from './grpc/sql-service.js';
import { stateService } from './grpc/state-service.js';
import { toolStateService } from './grpc/tool-state-service.js';

export interface AgentRegistryOverrides extends ContextOverrides {
  /** Joins the other services of this process instead of opening a port. */
  network?: LocalNetwork;
}

export interface RunningAgentRegistry {
  /** Absent when the service joined a local network. */
  address?: string;
  registrations: Registration[];
  /** Refuses new calls, finishes the running ones, closes the connections. */
  stop(): Promise<void>;
}

export async function migrateAgentRegistry(config: Config): Promise<void> {
  const { url, schema } = config.database;
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

export async function startAgentRegistry(
  config: Config,
  overrides: AgentRegistryOverrides = {},
): Promise<RunningAgentRegistry> {
  await migrateAgentRegistry(config);
  const ctx = await createContext(config, overrides);
  const registrations = [
    agentService(ctx),
    stateService(ctx),
    toolStateService(ctx),
    sessionService(ctx),
    sqlService(ctx),
  ];
  const started: Stoppable[] = [ctx];
  try {
    started.push(await ctx.events.subscribe(customerEvents(ctx)));
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
