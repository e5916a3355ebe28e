import type { Queryable } from '@tollgate/postgres';
import type { Mailbox } from '../domain/mailbox.js';
import type { Scope } from '../domain/scope.js';
import { IN_SCOPE, scopeValues } from './messages.js';

/** Unread messages of one mailbox that are counted at most. */
const COUNT_MAX = 1_000;

interface MailboxRow {
  address: string;
  unread_count: number;
  last_message_at: Date;
  last_subject: string;
}

/**
 * Returns the mailboxes after an address, in the order of their text. Steps from one address to the next in the index,
 * so that a page costs the same in a project with millions of messages.
 */
export async function listMailboxes(
  db: Queryable,
  scope: Scope,
  { unreadOnly, after, limit }: { unreadOnly: boolean; after: string; limit: number },
): Promise<Mailbox[]> {
  const unread = unreadOnly ? 'AND read_at IS NULL' : '';
  const next = (place: string) => `SELECT to_address FROM messages
    WHERE ${IN_SCOPE} ${unread} AND to_address > ${place} ORDER BY to_address, seq LIMIT 1`;
  const { rows } = await db.query<MailboxRow>(
    `WITH RECURSIVE mailboxes AS (
       (SELECT to_address AS address, 1 AS number FROM (${next('$5')}) first)
       UNION ALL
       SELECT (${next('mailboxes.address')}), number + 1 FROM mailboxes WHERE address IS NOT NULL AND number < $6
     )
     SELECT address, unread_count, created_at AS last_message_at, subject AS last_subject
     FROM mailboxes,
       LATERAL (SELECT created_at, subject FROM messages WHERE ${IN_SCOPE} AND to_address = address
         ORDER BY seq DESC LIMIT 1) newest,
       LATERAL (SELECT count(*)::int AS unread_count FROM (SELECT 1 FROM messages
         WHERE ${IN_SCOPE} AND to_address = address AND read_at IS NULL LIMIT ${COUNT_MAX}) unread) counted
     WHERE address IS NOT NULL ORDER BY address`,
    [...scopeValues(scope), after, limit],
  );
  return rows.map(({ address, unread_count, last_message_at, last_subject }) => ({
    address,
    unreadCount: unread_count,
    lastMessageAt: last_message_at,
    lastSubject: last_subject,
  }));
}
