import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { type Address, formatAddress, parseAddress } from '../domain/address.js';
import { fromMailboxCursor, type Mailbox, toMailboxCursor } from '../domain/mailbox.js';
import { findRunOwner, isInScope, type RunOwners, type Scope } from '../domain/scope.js';
import { listMailboxes as readPage } from '../store/mailboxes.js';
import { assignMailboxToCustomer } from '../store/messages.js';
import { requireLimit } from './require-limit.js';

/**
 * Returns the mailbox's address in lower case. Moves mail that the project sent to the run while its customer was unknown
 * into the customer's scope.
 *
 * @throws AppError VALIDATION_ERROR for a malformed address, NOT_FOUND for one outside the scope
 */
export async function openMailbox(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  { text, field }: { text: string; field: string },
  runs: RunOwners,
): Promise<string> {
  const address = readAddress(text, field);
  if (!isInScope(address, scope, runs)) throw new AppError('NOT_FOUND', 'mailbox not found');
  const mailbox = formatAddress(address);
  const owner = findRunOwner(address, runs);
  if (owner) await assignMailboxToCustomer(ctx.pool, scope.projectId, mailbox, owner);
  return mailbox;
}

interface ListMailboxesQuery {
  unreadOnly: boolean;
  limit: number;
  cursor: string | undefined;
}

interface MailboxPage {
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

/** Parses an address. @throws AppError VALIDATION_ERROR naming the field */
export function readAddress(text: string, field: string): Address {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  throw new AppError('VALIDATION_ERROR', `${field}: ${parsed.reason}`, { fields: [{ field, message: parsed.reason }] });
}
