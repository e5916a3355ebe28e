import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

const runAddress = /^run:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export interface RunOwner {
  runId: string;
  customerId: string;
}

/**
 * Checks that the caller may access the runs among some addresses, because messaging does not know runs. An
 * inaccessible run counts as missing.
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
