import type { EventTransport } from '@tollgate/events';
import { migrate } from '@tollgate/postgres';
import { type LocalNetwork, type Registration, startRpcServer } from '@tollgate/rpc';
import { type Clock, type Logger, stopAll } from '@tollgate/runtime';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { accountLimitService } from './grpc/account-limit-service.js';
import { billingService } from './grpc/billing-service.js';
import { holdService } from './grpc/hold-service.js';
import { paymentService } from './grpc/payment-service.js';

export interface BillingOverrides {
  /** Joins the other services of this process instead of opening a port. */
  network?: LocalNetwork;
  logger?: Logger;
  clock?: Clock;
  /** A started transport that somebody else stops; for services that share one in a process. */
  transport?: EventTransport;
}

export interface RunningBilling {
  /** Absent when the service joined a local network. */
  address?: string;
  registrations: Registration[];
  /** Refuses new calls, finishes the running ones, closes the connections. */
  stop(): Promise<void>;
}

export async function migrateBilling(config: Config): Promise<void> {
  const { url, schema } = config.database;
  await migrate({ url, schema, directory: new URL('../prisma/migrations', import.meta.url) });
}

export async function startBilling(config: Config, overrides: BillingOverrides = {}): Promise<RunningBilling> {
  await migrateBilling(config);
  const ctx = await createContext(config, overrides);
  const registrations = [billingService(ctx), holdService(ctx), accountLimitService(ctx), paymentService(ctx)];
  const { network } = overrides;
  if (network) {
    network.register(...registrations);
    const leave = { stop: async () => network.unregister(...registrations) };
    return { registrations, stop: () => stopAll(ctx, leave) };
  }
  try {
    const notReadyBecause = () => ctx.lane.unavailableReason;
    const rpc = await startRpcServer({ ...config.grpc, tls: config.tls, registrations, notReadyBecause });
    return { address: rpc.address, registrations, stop: () => stopAll(ctx, rpc) };
  } catch (error) {
    await ctx.stop();
    throw error;
  }
}
