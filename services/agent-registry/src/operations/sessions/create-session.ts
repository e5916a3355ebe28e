import { randomUUID } from 'node:crypto';
import { isUuid } from '@tollgate/runtime/uuid';
import { EMPTY_TOOL_STATE } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { JsonObject, Session } from '../../domain/session.js';
import { insertSession } from '../../store/sessions.js';
import { notFound } from '../not-found.js';
import { mergedMetadata } from './merged-metadata.js';

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
