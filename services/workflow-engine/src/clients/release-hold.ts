import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import { releaseOnce } from '@tollgate/spending';

export interface UnusedHold {
  holdId: string;
  principal: Principal;
}

const TIMEOUT_MS = 5_000;

/** Releases the hold of a step that was never sent; an admission that arrives later finds the hold ended. */
export async function releaseUnused(
  billing: Pick<Client<typeof BillingService>, 'release' | 'settle'>,
  { holdId, principal }: UnusedHold,
): Promise<void> {
  const facts = { success: false, errorCode: 'NOT_DISPATCHED' };
  const call = startCall({ requestId: holdId, principal, timeoutMs: TIMEOUT_MS });
  await releaseOnce(billing, holdId, facts, call);
}
