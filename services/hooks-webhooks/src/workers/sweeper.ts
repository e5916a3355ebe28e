import { createLoop, type Stoppable, stopAll } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { rewrapSecrets } from '../operations/rewrap-secrets.js';
import { sweep } from '../operations/sweep.js';
import { cancelLeftovers } from '../operations/webhooks/cancel-pending.js';
import { advanceRecoveries } from '../operations/webhooks/recover-webhook.js';

type SweeperContext = Pick<Context, 'keyring' | 'limits' | 'logger' | 'pool' | 'queuePool' | 'wakeDeliveries'>;

const CANCEL_EVERY_MS = 5_000;
const RECOVER_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;

/** Starts the housekeeping loops; any number of replicas may run them. */
export function startSweeper(ctx: SweeperContext): Stoppable {
  const { logger } = ctx;
  const cancel = createLoop({
    name: 'canceled deliveries',
    intervalMs: CANCEL_EVERY_MS,
    run: () => cancelLeftovers(ctx),
    logger,
  });
  const recoveries = createLoop({
    name: 'webhook recoveries',
    intervalMs: RECOVER_EVERY_MS,
    run: () => advanceRecoveries(ctx),
    logger,
  });
  const retention = createLoop({
    name: 'webhook retention',
    intervalMs: SWEEP_EVERY_MS,
    async run() {
      const hasMoreSecrets = (await rewrapSecrets(ctx)) > 0;
      const { hasMore } = await sweep(ctx);
      return hasMoreSecrets || hasMore;
    },
    logger,
  });
  return { stop: () => stopAll(cancel, recoveries, retention) };
}
