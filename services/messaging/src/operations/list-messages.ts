import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { listMessages as readPage } from '../store/messages.js';
import { openMailbox } from './open-mailbox.js';
import { requireThread } from './require-thread.js';

export interface ListMessagesQuery {
  to: string | undefined;
  threadId: string | undefined;
  unreadOnly: boolean;
  limit: number;
  offset: number;
  runs: RunOwners;
}

export interface MessagePage {
  messages: Message[];
  hasMore: boolean;
}

/** @throws AppError NOT_FOUND for a mailbox or thread outside the scope */
export async function listMessages(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  query: ListMessagesQuery,
): Promise<MessagePage> {
  const { to, threadId, unreadOnly, limit, offset, runs } = query;
  if (to === undefined && threadId === undefined) {
    const fields = [{ field: 'to', message: 'to or thread_id is required' }];
    throw new AppError('VALIDATION_ERROR', 'to or thread_id is required', { fields });
  }
  const mailbox = to === undefined ? undefined : await openMailbox(ctx, scope, to, 'to', runs);
  if (threadId !== undefined) await requireThread(ctx, scope, threadId);
  // One more than requested shows whether there is a next page.
  const page = { take: limit + 1, skip: offset };
  const messages = await readPage(ctx.pool, scope, { to: mailbox, threadId, unreadOnly }, page);
  return { messages: messages.slice(0, limit), hasMore: messages.length > limit };
}
