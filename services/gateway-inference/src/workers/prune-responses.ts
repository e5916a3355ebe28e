import type { Context } from '../context.js';
import { deleteConversationsBeyond, pruneConversations } from '../store/conversations.js';
import { deleteBeyond, pruneResponses } from '../store/responses.js';

const BATCH = 500;
/** Longer than an idempotency key lives: later, no attempt is superseded any more. */
const APPENDS_KEPT_MS = 48 * 3_600_000;

/** Deletes what is no longer readable and what callers have beyond their limits. Returns true if there may be more. */
export async function pruneStoredResponses(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'responseLimits'>,
): Promise<boolean> {
  const { pool, responseLimits, config } = ctx;
  const now = ctx.clock.now();
  const appendsBefore = new Date(now.getTime() - APPENDS_KEPT_MS);
  // A deleted response becomes removable with the last response that continues it.
  let hasMore = (await pruneResponses(pool, now, BATCH)) > 0;
  if ((await pruneConversations(pool, { now, appendsBefore, limit: BATCH })) >= BATCH) hasMore = true;
  for (const caller of responseLimits.take()) {
    const responses = await deleteBeyond(pool, caller, config.storedResponses, BATCH);
    const conversations = await deleteConversationsBeyond(pool, caller, config.storedResponses, BATCH);
    if (Math.max(responses, conversations) < BATCH) continue;
    responseLimits.note(caller);
    hasMore = true;
  }
  return hasMore;
}
