import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { findMessagePlace, listMessages as readPage } from '../store/messages.js';
import { cursorFault } from './list-mailboxes.js';
import { openMailbox } from './open-mailbox.js';
import { requireThread } from './require-thread.js';

export interface ListMessagesQuery {
  to: string | undefined;
  threadId: string | undefined;
  unreadOnly: boolean;
  limit: number;
  offset: number;
  cursor: string | undefined;
  runs: RunOwners;
}

export interface MessagePage {
  messages: Message[];
  hasMore: boolean;
  nextCursor: string | undefined;
}

/**
 * Returns messages of a mailbox or thread, oldest first. A cursor is the id of the last message before: messages that are marked as
 * read between two pages of unread ones move no other.
 *
 * @throws AppError NOT_FOUND for a mailbox or thread outside the scope
 */
export async function listMessages(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  query: ListMessagesQuery,
): Promise<MessagePage> {
  const { to, threadId, unreadOnly, limit, offset, cursor, runs } = query;
  if (to === undefined && threadId === undefined) {
    const fields = [{ field: 'to', message: 'to or thread_id is required' }];
    throw new AppError('VALIDATION_ERROR', 'to or thread_id is required', { fields });
  }
  const mailbox = to === undefined ? undefined : await openMailbox(ctx, scope, to, 'to', runs);
  if (threadId !== undefined) await requireThread(ctx, scope, threadId);
  const after = cursor === undefined ? undefined : await findMessagePlace(ctx.pool, scope, cursor);
  if (cursor !== undefined && after === undefined) throw cursorFault();
  // One more than requested shows whether there is a next page.
  const page = { take: limit + 1, skip: offset };
  const found = await readPage(ctx.pool, scope, { to: mailbox, threadId, unreadOnly, after }, page);
  const messages = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { messages, hasMore, nextCursor: hasMore ? messages.at(-1)?.id : undefined };
}
