import { type Call, lacksMethod } from '@tollgate/rpc';
import type { Context } from '../../context.js';

/** Undoes what an attempt has stored, when a repeat with its idempotency key takes its place. */
export async function discardAttempt(ctx: Pick<Context, 'clients'>, attemptId: string, call: Call): Promise<void> {
  try {
    await ctx.clients.storedResponses.discardAttempt({ holdId: attemptId }, call);
  } catch (error) {
    // The version before adds nothing to conversations.
    if (!lacksMethod(error)) throw error;
  }
}
