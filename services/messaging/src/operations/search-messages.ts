import type { Context } from '../context.js';
import { formatAddress } from '../domain/address.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { findMessagePlace, searchMessages as readPage } from '../store/messages.js';
import { cursorFault, openMailbox, readAddress } from './addresses.js';
import { requireThread } from './messages.js';
import { requireLimit } from './require-limit.js';

export interface SearchMessagesQuery {
  to: string | undefined;
  from: string | undefined;
  threadId: string | undefined;
  customerId: string | undefined;
  unreadOnly: boolean;
  limit: number;
  cursor: string | undefined;
  runs: RunOwners;
}

export interface FoundMessages {
  messages: Message[];
  nextCursor: string | undefined;
}

/**
 * Returns messages of all mailboxes in the scope, newest first. A cursor is the id of the last message before: it says
 * nothing about the messages of other projects.
 *
 * @throws AppError NOT_FOUND for a mailbox or thread outside the scope
 */
export async function searchMessages(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  query: SearchMessagesQuery,
): Promise<FoundMessages> {
  const { to, from, threadId, customerId, unreadOnly, limit, cursor, runs } = query;
  requireLimit(limit);
  const mailbox = to === undefined ? undefined : await openMailbox(ctx, scope, { text: to, field: 'to' }, runs);
  const sender = from === undefined ? undefined : formatAddress(readAddress(from, 'from'));
  if (threadId !== undefined) await requireThread(ctx, scope, threadId);
  const before = cursor === undefined ? undefined : await findMessagePlace(ctx.pool, scope, cursor);
  if (cursor !== undefined && before === undefined) throw cursorFault();
  const filter = { to: mailbox, from: sender, threadId, customerId, unreadOnly, before };
  // One more than requested shows whether there is a next page.
  const found = await readPage(ctx.pool, scope, filter, limit + 1);
  const messages = found.slice(0, limit);
  return { messages, nextCursor: found.length > limit ? messages.at(-1)?.id : undefined };
}
