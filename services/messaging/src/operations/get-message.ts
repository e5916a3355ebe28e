import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { Scope } from '../domain/scope.js';
import { findMessage } from '../store/messages.js';

/** @throws AppError NOT_FOUND for an unknown message and for one outside the scope */
export async function getMessage(ctx: Pick<Context, 'pool'>, scope: Scope, id: string): Promise<Message> {
  const message = isUuid(id) ? await findMessage(ctx.pool, scope, id) : undefined;
  if (!message) throw new AppError('NOT_FOUND', 'message not found');
  return message;
}
