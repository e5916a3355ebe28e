import type { Registration } from '@tollgate/rpc';
import {
  type Parts,
  type RunningService,
  type ServiceDefinition,
  type SharedParts,
  startService,
} from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { type Context, createContexts } from './context.js';
import { accountLimitService } from './grpc/account-limit-service.js';
import { billingService } from './grpc/billing-service.js';
import { holdService } from './grpc/hold-service.js';
import { paymentService } from './grpc/payment-service.js';
import { routeByOwner } from './grpc/route-by-owner.js';
import { OwnerDirectory } from './operations/databases/owner-directory.js';
import { createExpiryWorker } from './workers/expire-holds.js';
import { createRetentionWorker, createSealWorker, createVerifyWorker } from './workers/journal.js';
import { createPeriodWorker, createWalletWorker, paymentWorkers } from './workers/payments.js';

export const billingLedger: ServiceDefinition<Config> = {
  name: 'billing-ledger',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  async build(parts) {
    const contexts = await createContexts(parts, paymentWorkers);
    for (const ctx of contexts) startWorkers(parts, ctx);
    const unavailable = () => contexts.map(({ writer }) => writer.unavailableReason);
    return {
      rpc: listServices(contexts),
      // All replicas use the same databases: the failure of one must not take the owners of the others out of rotation.
      servesWithoutDatabase: contexts.length > 1,
      notReadyBecause: () => (unavailable().every((reason) => reason !== undefined) ? unavailable()[0] : undefined),
    };
  },
};

/** Starts the workers that no operation wakes. Each works on one database. */
function startWorkers(parts: Parts<Config>, ctx: Context): void {
  const { pool, writer, logger, relay } = ctx;
  const intervalMs = parts.config.holdSweepIntervalMs;
  parts.keep(createExpiryWorker({ pool, writer, logger, intervalMs, onEvents: () => relay.wake() }));
  parts.keep(createPeriodWorker(ctx));
  parts.keep(createWalletWorker(ctx));
  parts.keep(createSealWorker(ctx));
  parts.keep(createRetentionWorker(ctx));
  parts.keep(createVerifyWorker(ctx));
}

/** With one database, its services themselves: no call is routed. */
function listServices(contexts: readonly Context[]): Registration[] {
  const services = contexts.map((ctx) => [
    billingService(ctx),
    holdService(ctx),
    accountLimitService(ctx),
    paymentService(ctx),
  ]);
  const [first] = contexts as [Context];
  if (contexts.length === 1) return services[0] as Registration[];
  const databases = contexts.map(({ database }) => database);
  const { pool, logger, config } = first;
  const directory = new OwnerDirectory({ pool, databases, newOwners: config.newOwners, logger });
  return routeByOwner(new Map(databases.map((name, at) => [name, services[at] as Registration[]])), directory);
}

export function startBilling(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(billingLedger, config, shared);
}
