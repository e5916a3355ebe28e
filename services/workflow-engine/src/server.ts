import { migrate } from '@tollgate/postgres';
import { type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Clock, type Logger, stopAll } from '@tollgate/runtime';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { agentRunService } from './grpc/agent-run-service.js';
import { workflowService } from './grpc/workflow-service.js';
import { compileService } from './plugin-compile/compile-service.js';

export interface WorkflowOverrides {
  /** Joins the other services of this process instead of opening a port. */
  network?: LocalNetwork;
  logger?: Logger;
  clock?: Clock;
}

export interface RunningWorkflow {
  /** Absent when the service joined a local network. */
  address?: string;
  registrations: Registration[];
  /** Refuses new calls, lets nodes finish for a while, hands over the rest, closes the connections. */
  stop(): Promise<void>;
}

export async function migrateWorkflow(config: Config): Promise<void> {
  const { url, schema } = config.database;
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

export async function startWorkflow(config: Config, overrides: WorkflowOverrides = {}): Promise<RunningWorkflow> {
  await migrateWorkflow(config);
  const ctx = await createContext(config, overrides);
  const registrations = [workflowService(ctx), agentRunService(ctx), compileService(ctx.compiler)];
  const { network } = overrides;
  // First of all: an open reader would hold up the drain of the calls.
  const readers = { stop: async () => ctx.closing.abort() };
  if (network) {
    network.register(...registrations);
    ctx.work.start();
    const leave = { stop: async () => network.unregister(...registrations) };
    return { registrations, stop: () => stopAll(ctx, leave, readers) };
  }
  try {
    const rpc = await startRpcServer({ ...config.grpc, tls: config.tls, registrations });
    ctx.work.start();
    return { address: rpc.address, registrations, stop: () => stopAll(ctx, rpc, readers) };
  } catch (error) {
    await ctx.stop();
    throw error;
  }
}
