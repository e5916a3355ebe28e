import { type Call, lacksMethod } from '@tollgate/rpc';
import type { Context } from '../../context.js';

/** Undoes what an attempt has stored or queued, when a repeat with its idempotency key takes its place. */
export async function discardAttempt(ctx: Pick<Context, 'clients'>, attemptId: string, call: Call): Promise<void> {
  const { storedResponses, backgroundResponses } = ctx.clients;
  await ignoreLacking(storedResponses.discardAttempt({ holdId: attemptId }, call));
  await ignoreLacking(backgroundResponses.discardBackgroundResponse({ holdId: attemptId }, call));
}

/** The versions before add nothing to conversations, and queue nothing. */
async function ignoreLacking(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!lacksMethod(error)) throw error;
  }
}
