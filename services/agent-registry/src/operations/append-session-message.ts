import { randomUUID } from 'node:crypto';
import { sessionLimits } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { Scope } from '../domain/scope.js';
import type { SessionMessage } from '../domain/session.js';
import { isUuid } from '../domain/uuid.js';
import { appendMessage } from '../store/session-messages.js';
import { findSession } from '../store/sessions.js';
import { notFound } from './not-found.js';

/** @throws AppError NOT_FOUND; INVALID_INPUT when the message is too big or the session is full */
export async function appendSessionMessage(
  ctx: Context,
  scope: Scope,
  sessionId: string,
  values: Pick<SessionMessage, 'role' | 'contentJson' | 'runId'>,
): Promise<SessionMessage> {
  if (!isUuid(sessionId)) throw notFound('session');
  if (Buffer.byteLength(values.contentJson) > sessionLimits.contentBytes) {
    throw new AppError('INVALID_INPUT', `content is over ${sessionLimits.contentBytes} bytes`);
  }
  const message = { ...values, id: randomUUID(), createdAt: ctx.clock.now() };
  const seq = await appendMessage(ctx.pool, scope, sessionId, message);
  if (seq !== undefined) return { ...message, seq };
  if (!(await findSession(ctx.pool, scope, sessionId))) throw notFound('session');
  const { messages, messageBytes } = sessionLimits;
  throw new AppError('INVALID_INPUT', `the session is full: ${messages} messages or ${messageBytes} bytes`);
}
