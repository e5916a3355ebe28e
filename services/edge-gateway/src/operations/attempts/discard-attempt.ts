import { AppError } from '@tollgate/errors';
import { type Call, lacksMethod } from '@tollgate/rpc';
import type { Context } from '../../context.js';

/**
 * Undoes what an attempt has stored or queued, when a repeat with its idempotency key takes its place.
 *
 * @throws AppError SERVICE_UNAVAILABLE when the request is made in the background, and an engine of the version before answers:
 *   another engine may run it
 */
export async function discardAttempt(
  { clients }: Pick<Context, 'clients'>,
  attemptId: string,
  call: Call,
  body: { background?: boolean | null },
): Promise<void> {
  const { storedResponses, backgroundResponses } = clients;
  try {
    await storedResponses.discardAttempt({ holdId: attemptId }, call);
  } catch (error) {
    // The version before adds nothing to conversations.
    if (!lacksMethod(error)) throw error;
  }
  if (!body.background) return;
  try {
    await backgroundResponses.discardBackgroundResponse({ holdId: attemptId }, call);
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    const message = 'a required service is being upgraded, try again later';
    throw new AppError('SERVICE_UNAVAILABLE', message, { retryable: true, cause: error });
  }
}
