import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { Session } from '../../domain/session.js';
import { deleteMessages } from '../../store/session-messages.js';
import { lockSession } from '../../store/sessions.js';
import { requireFound } from '../not-found.js';

/**
 * Deletes all messages, so that numbering restarts at 1; keeps the metadata and the tools' state. @throws AppError
 * NOT_FOUND
 */
export async function clearSession(ctx: Pick<Context, 'clock' | 'pool'>, scope: Scope, id: string): Promise<Session> {
  const updatedAt = ctx.clock.now();
  return withTransaction(ctx.pool, async (tx) => {
    const session = requireFound(await lockSession(tx, scope, id), 'session');
    await deleteMessages(tx, id, updatedAt);
    return { ...session, messageCount: 0, updatedAt };
  });
}
