import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';

const RUN_PREFIX = /^run:/i;

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
export async function runOwners(
  ctx: Pick<Context, 'clients'>,
  addresses: (string | undefined)[],
  call: Call,
): Promise<RunOwner[]> {
  const runIds = new Set(addresses.flatMap((address) => toRunId(address ?? '') ?? []));
  return Promise.all(
    [...runIds].map(async (runId) => {
      const { run } = await ctx.clients.workflow.getRun({ runId }, call);
      return { runId, customerId: run?.customerId ?? '' };
    }),
  );
}

/** Returns the id in a run's address, in lower case, as the engine compares it. */
function toRunId(address: string): string | undefined {
  const id = address.replace(RUN_PREFIX, '');
  return id !== address && isUuid(id) ? id.toLowerCase() : undefined;
}
