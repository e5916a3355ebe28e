import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

const runAddress = /^run:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export interface RunOwner {
  runId: string;
  customerId: string;
}

/**
 * Vouches for the runs among some addresses: messaging keeps mailboxes and does not know runs. A run that the caller
 * may not see does not exist for it, in a mailbox's address as anywhere else.
 *
 * @throws AppError NOT_FOUND
 */
export async function runOwners(ctx: Context, addresses: (string | undefined)[], call: Call): Promise<RunOwner[]> {
  const runIds = new Set(addresses.flatMap((address) => runAddress.exec(address ?? '')?.[1]?.toLowerCase() ?? []));
  return Promise.all(
    [...runIds].map(async (runId) => {
      const { run } = await ctx.clients.workflow.getRun({ runId }, call);
      return { runId, customerId: run?.customerId ?? '' };
    }),
  );
}
