import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';

const PAGE = 200;
/** Bounds the pages; keys beyond them show no figure. */
const PAGES_MAX = 10;

/** Returns the lifetime provider cost per key id, which counts against the key's limit; undefined when unavailable. */
export async function readKeySpend(
  ctx: Pick<Context, 'clients'>,
  call: Call,
): Promise<Map<string, bigint> | undefined> {
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
    // Keys must be manageable while billing is unavailable, so the figure is omitted.
    if (!isAppError(error) || error.code === 'INTERNAL_ERROR') throw error;
    return undefined;
  }
  return spend;
}
