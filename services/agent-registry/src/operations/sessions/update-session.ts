import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { JsonObject, Session } from '../../domain/session.js';
import { lockSession, writeSession } from '../../store/sessions.js';
import { requireFound } from '../not-found.js';
import { mergedMetadata } from './merged-metadata.js';

/** Merges metadata into the session's; null removes a key. @throws AppError NOT_FOUND, VALIDATION_ERROR */
export async function updateSession(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  id: string,
  metadata: JsonObject,
): Promise<Session> {
  const updatedAt = ctx.clock.now();
  return withTransaction(ctx.pool, async (tx) => {
    const before = requireFound(await lockSession(tx, scope, id), 'session');
    const session = { ...before, ...mergedMetadata(before, metadata), updatedAt };
    await writeSession(tx, session);
    return session;
  });
}
