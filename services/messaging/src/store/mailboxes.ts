import type { Queryable } from '@tollgate/postgres';
import type { Mailbox } from '../domain/mailbox.js';
import type { Scope } from '../domain/scope.js';
import { listMailboxesAfter } from './gen/mailboxes.js';
import { toScopeInput } from './messages.js';

/** Returns the mailboxes after an address, in the order of their text. */
export function listMailboxes(
  db: Queryable,
  scope: Scope,
  { unreadOnly, after, limit }: { unreadOnly: boolean; after: string; limit: number },
): Promise<Mailbox[]> {
  return listMailboxesAfter(db, { ...toScopeInput(scope), unreadOnly, after, limit });
}
