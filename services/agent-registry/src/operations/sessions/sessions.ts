import { randomUUID } from 'node:crypto';
import { sessionLimits } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import { EMPTY_TOOL_STATE } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { changeMetadata, type JsonObject, type Session, type SessionMessage } from '../../domain/session.js';
import { deleteMessages, listMessages } from '../../store/session-messages.js';
import { findSession, insertSession, lockSession, writeSession } from '../../store/sessions.js';
import { notFound, requireFound } from '../not-found.js';

/**
 * Creates a session for the named customer, which the caller has checked to belong to the project; by default for the
 * principal's own customer.
 *
 * @throws AppError NOT_FOUND when a customer names another customer; VALIDATION_ERROR
 */
export async function createSession(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  customerId: string | undefined,
  metadata: JsonObject,
): Promise<Session> {
  if (customerId !== undefined && (!isUuid(customerId) || (scope.customerId && scope.customerId !== customerId))) {
    throw notFound('customer');
  }
  const now = ctx.clock.now();
  const session: Session = {
    id: randomUUID(),
    projectId: scope.projectId,
    customerId: customerId ?? scope.customerId,
    ...mergedMetadata({ metadata: {}, toolState: EMPTY_TOOL_STATE }, metadata),
    messageCount: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertSession(ctx.pool, session);
  return session;
}

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

type Part = Pick<Session, 'metadata' | 'toolState'>;

/** @throws AppError VALIDATION_ERROR */
function mergedMetadata(before: Part, change: JsonObject): Part {
  const merged = changeMetadata(before, change, sessionLimits.metadataBytes);
  if (merged.ok) return { metadata: merged.metadata, toolState: merged.toolState };
  const { field, message } = merged;
  throw new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
