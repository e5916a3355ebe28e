import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';

/** Undoes what an attempt has stored or queued, when a repeat with its idempotency key takes its place. */
export async function discardAttempt(
  { clients }: Pick<Context, 'clients'>,
  attemptId: string,
  call: Call,
  body: { background?: boolean | null },
): Promise<void> {
  const { storedResponses, backgroundResponses } = clients;
  await storedResponses.discardAttempt({ holdId: attemptId }, call);
  if (body.background) await backgroundResponses.discardBackgroundResponse({ holdId: attemptId }, call);
}
