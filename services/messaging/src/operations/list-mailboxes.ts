import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { fromMailboxCursor, type Mailbox, toMailboxCursor } from '../domain/mailbox.js';
import type { Scope } from '../domain/scope.js';
import { listMailboxes as readPage } from '../store/mailboxes.js';
import { requireLimit } from './require-limit.js';

export interface ListMailboxesQuery {
  unreadOnly: boolean;
  limit: number;
  cursor: string | undefined;
}

export interface MailboxPage {
  mailboxes: Mailbox[];
  nextCursor: string | undefined;
}

/** @throws AppError VALIDATION_ERROR for text that is no cursor */
export async function listMailboxes(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  { unreadOnly, limit, cursor }: ListMailboxesQuery,
): Promise<MailboxPage> {
  requireLimit(limit);
  const after = cursor === undefined ? '' : fromMailboxCursor(cursor, scope.projectId);
  if (after === undefined) throw cursorFault();
  // One more than requested shows whether there is a next page.
  const found = await readPage(ctx.pool, scope, { unreadOnly, after, limit: limit + 1 });
  const mailboxes = found.slice(0, limit);
  const last = mailboxes.at(-1);
  return { mailboxes, nextCursor: last && found.length > limit ? toMailboxCursor(last.address) : undefined };
}

/** The error about a cursor of another list. */
export function cursorFault(): AppError {
  const message = 'is not a next_cursor of this list';
  return new AppError('VALIDATION_ERROR', `cursor ${message}`, { fields: [{ field: 'cursor', message }] });
}
