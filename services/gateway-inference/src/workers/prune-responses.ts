import type { Context } from '../context.js';
import { deleteBeyond, pruneResponses } from '../store/responses.js';

const BATCH = 500;

/** Deletes what is no longer readable and what callers have beyond their limits. Returns true if there may be more. */
export async function pruneStoredResponses(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'responseLimits'>,
): Promise<boolean> {
  const { pool, responseLimits, config } = ctx;
  // A deleted response becomes removable with the last response that continues it.
  let hasMore = (await pruneResponses(pool, ctx.clock.now(), BATCH)) > 0;
  for (const caller of responseLimits.take()) {
    if ((await deleteBeyond(pool, caller, config.storedResponses, BATCH)) < BATCH) continue;
    responseLimits.note(caller);
    hasMore = true;
  }
  return hasMore;
}
