import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { Session, SessionMessage } from '../../domain/session.js';
import { listMessages } from '../../store/session-messages.js';
import { findSession } from '../../store/sessions.js';
import { requireFound } from '../not-found.js';

/** Returns the session with all its messages, as of one moment. @throws AppError NOT_FOUND */
export async function getSession(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  id: string,
): Promise<{ session: Session; messages: SessionMessage[] }> {
  const read = await withTransaction(
    ctx.pool,
    async (tx) => {
      const session = await findSession(tx, scope, id);
      return session && { session, messages: await listMessages(tx, id) };
    },
    { isolation: 'repeatable read' },
  );
  return requireFound(read, 'session');
}
