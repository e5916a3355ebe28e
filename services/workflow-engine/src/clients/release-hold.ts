import { setTimeout as sleep } from 'node:timers/promises';
import { type BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import type { Logger } from '@tollgate/runtime';

type Billing = Client<typeof BillingService>;

export interface UnusedHold {
  holdId: string;
  principal: Principal;
}

const TIMEOUT_MS = 5_000;
const TRIES_MAX = 8;
const PAUSE_MS_MIN = 250;

/**
 * Reports that nothing was dispatched under a request id. Returns false when the ledger does not know the request: its
 * admission may still be on the way.
 */
export async function reportUnused(billing: Billing, { holdId, principal }: UnusedHold): Promise<boolean> {
  const facts = { success: false, errorCode: 'NOT_DISPATCHED' };
  const call = startCall({ requestId: holdId, principal, timeoutMs: TIMEOUT_MS });
  const { outcome } = await billing.settle({ holdId, usage: {}, facts }, call);
  return outcome !== SettleOutcome.UNKNOWN_REQUEST;
}

/**
 * Releases a hold that may exist, with tries for about half a minute. A hold that is not released expires. Never
 * throws.
 */
export async function releaseHold(billing: Billing, logger: Logger, hold: UnusedHold): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      if (await reportUnused(billing, hold)) return;
    } catch (error) {
      logger.warn({ err: error, hold_id: hold.holdId, tries }, 'hold not released');
    }
    if (tries === TRIES_MAX) return;
    await sleep(PAUSE_MS_MIN * 2 ** (tries - 1), undefined, { ref: false });
  }
}
