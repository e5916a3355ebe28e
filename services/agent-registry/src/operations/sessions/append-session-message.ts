import { randomUUID } from 'node:crypto';
import { sessionLimits } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import { hasCode, UNIQUE_VIOLATION } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { SessionMessage } from '../../domain/session.js';
import { appendMessage, findMessage } from '../../store/session-messages.js';
import { findSession } from '../../store/sessions.js';
import { notFound } from '../not-found.js';

export interface NewMessage extends Pick<SessionMessage, 'role' | 'contentJson' | 'runId'> {
  /** Makes the append idempotent; undefined = a new id. */
  id: string | undefined;
}

/** @throws AppError NOT_FOUND; INVALID_INPUT when the message is too big or the session is full */
export async function appendSessionMessage(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  sessionId: string,
  values: NewMessage,
): Promise<SessionMessage> {
  if (!isUuid(sessionId)) throw notFound('session');
  if (values.id !== undefined && !isUuid(values.id)) throw new AppError('INVALID_INPUT', 'message_id must be a UUID');
  const earlier = values.id === undefined ? undefined : await findMessage(ctx.pool, scope, sessionId, values.id);
  return earlier ?? append(ctx, scope, sessionId, { ...values, id: values.id ?? randomUUID() });
}

async function append(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  sessionId: string,
  values: NewMessage & { id: string },
): Promise<SessionMessage> {
  if (Buffer.byteLength(values.contentJson) > sessionLimits.contentBytes) {
    throw new AppError('INVALID_INPUT', `content must be at most ${sessionLimits.contentBytes} bytes`);
  }
  const message = { ...values, createdAt: ctx.clock.now() };
  try {
    const seq = await appendMessage(ctx.pool, scope, sessionId, message);
    if (seq !== undefined) return { ...message, seq };
  } catch (error) {
    // A concurrent call with the same id was first.
    const other = hasCode(error, UNIQUE_VIOLATION);
    const earlier = other ? await findMessage(ctx.pool, scope, sessionId, values.id) : undefined;
    if (!earlier) throw error;
    return earlier;
  }
  if (!(await findSession(ctx.pool, scope, sessionId))) throw notFound('session');
  const { messages, messageBytes } = sessionLimits;
  throw new AppError('INVALID_INPUT', `the session is full: ${messages} messages or ${messageBytes} bytes`);
}
