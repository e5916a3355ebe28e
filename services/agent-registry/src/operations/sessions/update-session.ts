import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { JsonObject, Session } from '../../domain/session.js';
import { isUuid } from '../../domain/uuid.js';
import { lockSession, writeSession } from '../../store/sessions.js';
import { notFound } from '../not-found.js';
import { mergedMetadata } from './merged-metadata.js';

/** Merges metadata; null removes a key. @throws AppError NOT_FOUND, VALIDATION_ERROR */
export async function updateSession(ctx: Context, scope: Scope, id: string, metadata: JsonObject): Promise<Session> {
  const updatedAt = ctx.clock.now();
  return withTransaction(ctx.pool, async (tx) => {
    const before = isUuid(id) ? await lockSession(tx, scope, id) : undefined;
    if (!before) throw notFound('session');
    const session = { ...before, ...mergedMetadata(before, metadata), updatedAt };
    await writeSession(tx, session);
    return session;
  });
}
