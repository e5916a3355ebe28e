import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { Session } from '../../domain/session.js';
import { isUuid } from '../../domain/uuid.js';
import { deleteMessages } from '../../store/session-messages.js';
import { lockSession } from '../../store/sessions.js';
import { notFound } from '../not-found.js';

/** Removes all messages, so that numbers begin at 1 again; metadata and what the tools keep stay. @throws AppError NOT_FOUND */
export async function clearSession(ctx: Context, scope: Scope, id: string): Promise<Session> {
  const updatedAt = ctx.clock.now();
  return withTransaction(ctx.pool, async (tx) => {
    const session = isUuid(id) ? await lockSession(tx, scope, id) : undefined;
    if (!session) throw notFound('session');
    await deleteMessages(tx, id, updatedAt);
    return { ...session, messageCount: 0, updatedAt };
  });
}
