import {
  type Parts,
  type RunningService,
  type ServiceDefinition,
  type SharedParts,
  startService,
} from '@tollgate/service';
import { type Config, configFromEnv } from './config.js';
import { createContext } from './context.js';
import { accountLimitService } from './grpc/account-limit-service.js';
import { billingService } from './grpc/billing-service.js';
import { holdService } from './grpc/hold-service.js';
import { paymentService } from './grpc/payment-service.js';
import { archiveJournal } from './operations/journal/archive-journal.js';
import { verifyJournal } from './operations/journal/verify-journal.js';
import { createExpiryWorker } from './workers/expire-holds.js';
import { createPeriodWorker, createWalletWorker, paymentWorkers } from './workers/payments.js';
import { createRetentionWorker, createSealWorker } from './workers/journal.js';

export const billingLedger: ServiceDefinition<Config> = {
  name: 'billing-ledger',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  async build(parts) {
    const ctx = await createContext(parts, paymentWorkers);
    const { pool, writer, logger, relay } = ctx;
    const intervalMs = parts.config.holdSweepIntervalMs;
    parts.keep(createExpiryWorker({ pool, writer, logger, intervalMs, onEvents: () => relay.wake() }));
    parts.keep(createPeriodWorker(ctx));
    parts.keep(createWalletWorker(ctx));
    parts.keep(createSealWorker(ctx));
    parts.keep(createRetentionWorker(ctx));
    return {
      rpc: [billingService(ctx), holdService(ctx), accountLimitService(ctx), paymentService(ctx)],
      notReadyBecause: () => writer.unavailableReason,
    };
  },
  commands: {
    'verify-journal': {
      summary: 'verifies all seals, sealed rows, transfers and accounts; fails if any differs',
      run: runVerification,
    },
    'archive-journal': {
      arguments: 'YYYY-MM FILE',
      summary: 'writes a sealed month to a new file and prints its seal; dist/verify-archive.js verifies the file',
      run: runArchive,
    },
  },
};

export function startBilling(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(billingLedger, config, shared);
}

/** @throws Error naming every difference */
async function runVerification({ openPool }: Parts<Config>): Promise<string> {
  const differences = await verifyJournal({ pool: openPool({ max: 1 }) });
  if (differences.length === 0) return 'no differences\n';
  const lines = differences.map((d) => `${d.account} ${d.field}: ${d.stored}, recomputed ${d.recomputed}`);
  throw new Error(lines.join('\n'));
}

async function runArchive({ openPool }: Parts<Config>, [month, path]: readonly string[]): Promise<string> {
  if (month === undefined || path === undefined) throw new Error('the arguments are YYYY-MM FILE');
  return `${await archiveJournal({ pool: openPool({ max: 1 }) }, { month, path })}\n`;
}
