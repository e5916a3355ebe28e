import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { backgroundHoldId } from '../domain/background/background-request.js';
import { takeWaitingHolds, type WaitingHold } from '../store/background/background-holds.js';
import type { Pool } from '../store/database.js';

const INTERVAL_MS = 1_000;
/** As many as the ledger records in one statement. */
const PER_PASS = 256;
const TIMEOUT_MS = 5_000;

interface KeeperContext {
  pool: Pool;
  logger: Logger;
  clients: { billing: Pick<Client<typeof BillingService>, 'recordProgress'> };
}

/**
 * Keeps the holds of background responses alive while they wait for their turn: what was accepted stays affordable. A hold that has ended
 * nevertheless, because all engines were stopped, is made again when its response runs.
 */
export function createHoldKeeper(ctx: KeeperContext): Loop {
  return createLoop({
    name: 'background.holds',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => {
      const due = await takeWaitingHolds(ctx.pool, PER_PASS);
      await Promise.all(due.map((hold) => keep(ctx, hold)));
      return due.length === PER_PASS;
    },
  });
}

async function keep({ clients, logger }: KeeperContext, { id, attempt }: WaitingHold): Promise<void> {
  const holdId = backgroundHoldId(id, attempt);
  try {
    await clients.billing.recordProgress({ holdId, usage: {} }, startCall({ timeoutMs: TIMEOUT_MS }));
  } catch (err) {
    logger.warn({ err, hold_id: holdId }, 'hold of a waiting response not kept; it is due again');
  }
}
