import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { Scope } from '../domain/scope.js';
import { findThreadStart } from '../store/messages.js';

/** Returns the thread's first message in scope. @throws AppError NOT_FOUND when the scope sees none of its messages */
export async function requireThread(ctx: Pick<Context, 'pool'>, scope: Scope, threadId: string): Promise<Message> {
  const start = isUuid(threadId) ? await findThreadStart(ctx.pool, scope, threadId) : undefined;
  if (!start) throw new AppError('NOT_FOUND', 'thread not found');
  return start;
}
