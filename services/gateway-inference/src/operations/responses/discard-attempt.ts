import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { toCaller } from '../../domain/stored-response.js';
import { discardAppend } from '../../store/conversation-items.js';
import { deleteAttempt } from '../../store/responses.js';

/**
 * Undoes what an attempt has stored: a repeat with its idempotency key is answered instead. If the attempt is still running
 * somewhere, it adds nothing later.
 */
export async function discardAttempt(ctx: Pick<Context, 'clock' | 'pool'>, holdId: string, call: Call): Promise<void> {
  if (!isUuid(holdId)) throw new AppError('VALIDATION_ERROR', `${holdId} is not the id of an attempt`);
  const { projectId } = toCaller(call.requirePrincipal());
  await withTransaction(ctx.pool, async (tx) => {
    await discardAppend(tx, holdId, ctx.clock.now());
    await deleteAttempt(tx, projectId, holdId);
  });
}
