import {
  type Parts,
  type RunningService,
  type ServiceDefinition,
  type SharedParts,
  startService,
} from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { type Context, createContext } from './context.js';
import { billingService } from './grpc/billing-service.js';
import { connectionService } from './grpc/connection-service.js';
import { accountLimitService, holdService } from './grpc/hold-service.js';
import { paymentService } from './grpc/payment-service.js';
import { createExpiryWorker } from './workers/expire-holds.js';
import { createAuditLoops, createRetentionWorker } from './workers/journal.js';
import { createPeriodWorker, createWalletWorker, paymentWorkers } from './workers/payments.js';
import { createResealWorker } from './workers/reseal-connections.js';

export const billingLedger: ServiceDefinition<Config> = {
  name: 'billing-ledger',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  async build(parts) {
    const ctx = await createContext(parts, paymentWorkers);
    startWorkers(parts, ctx);
    return {
      rpc: [
        billingService(ctx),
        holdService(ctx),
        accountLimitService(ctx),
        paymentService(ctx),
        connectionService(ctx),
      ],
      notReadyBecause: () => ctx.writer.unavailableReason,
    };
  },
};

/** Starts the workers that no operation wakes. */
function startWorkers(parts: Parts<Config>, ctx: Context): void {
  const { pool, writer, logger, relay } = ctx;
  const intervalMs = parts.config.holdSweepIntervalMs;
  parts.keep(createExpiryWorker({ pool, writer, logger, intervalMs, onEvents: () => relay.wake() }));
  parts.keep(createPeriodWorker(ctx));
  parts.keep(createWalletWorker(ctx));
  parts.keep(createRetentionWorker(ctx));
  for (const loop of createAuditLoops(ctx)) parts.keep(loop);
  parts.keep(createResealWorker(ctx));
}

export function startBilling(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(billingLedger, config, shared);
}
