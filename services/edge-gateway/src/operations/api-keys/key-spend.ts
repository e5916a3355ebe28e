import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';

const PAGE = 200;
/** An account with more keys than these pages hold sees no figure on the rest. */
const PAGES_MAX = 10;

/** Lifetime spend per key id, as the ledger holds it against the key's limit: the provider cost. Undefined = not known now. */
export async function readKeySpend(ctx: Context, call: Call): Promise<Map<string, bigint> | undefined> {
  const spend = new Map<string, bigint>();
  const from = timestampFromMs(0);
  try {
    for (let page = 0; page < PAGES_MAX; page++) {
      const request = { from, groupBy: 'key', limit: PAGE, offset: page * PAGE };
      const { rows, hasMore } = await ctx.clients.billing.getAccountUsage(request, call);
      for (const row of rows) spend.set(row.group, (spend.get(row.group) ?? 0n) + row.providerMicrocents);
      if (!hasMore) break;
    }
  } catch (error) {
    // Managing keys must work while billing does not; the figure is left out then.
    if (!isAppError(error) || error.code === 'INTERNAL_ERROR') throw error;
    return undefined;
  }
  return spend;
}
