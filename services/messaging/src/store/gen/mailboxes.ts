// Generated from mailboxes.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ListMailboxesAfterInput {
  projectId: string;
  customerId: string | null;
  isCustomerClient: boolean;
  api: string;
  unreadOnly: boolean;
  after: string;
  limit: number;
}

export interface ListMailboxesAfterRow {
  address: string;
  unreadCount: number;
  lastMessageAt: Date;
  lastSubject: string;
}

const LIST_MAILBOXES_AFTER = `
  WITH RECURSIVE mailboxes AS (
    (SELECT to_address AS address, 1 AS number FROM (
       SELECT to_address FROM messages
       WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
         AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
         AND (NOT $5 OR read_at IS NULL) AND to_address > $6 ORDER BY to_address, seq LIMIT 1) first)
    UNION ALL
    SELECT (
      SELECT to_address FROM messages
      WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
        AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
        AND (NOT $5 OR read_at IS NULL) AND to_address > mailboxes.address ORDER BY to_address, seq LIMIT 1), number + 1
    FROM mailboxes WHERE address IS NOT NULL AND number < $7
  )
  SELECT address AS "address", unread_count AS "unreadCount", created_at AS "lastMessageAt", subject AS "lastSubject"
  FROM mailboxes,
    LATERAL (
      SELECT created_at, subject FROM messages
      WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
        AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
        AND to_address = address
      ORDER BY seq DESC LIMIT 1) newest,
    LATERAL (SELECT count(*)::int AS unread_count FROM (
      SELECT 1 FROM messages
      WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
        AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
        AND to_address = address AND read_at IS NULL
      LIMIT 1000) unread) counted
  WHERE address IS NOT NULL ORDER BY address`;

/**
 * Steps from one address to the next in the index, so that a page costs the same in a project with millions of messages. Counts at most
 * 1,000 unread messages of each mailbox.
 * Is planned at each call: unread messages have an index of their own
 */
export async function listMailboxesAfter(db: Queryable, input: ListMailboxesAfterInput): Promise<ListMailboxesAfterRow[]> {
  const { rows } = await db.query<ListMailboxesAfterRow>({
    text: LIST_MAILBOXES_AFTER,
    values: [
      input.projectId,
      input.customerId,
      input.isCustomerClient,
      input.api,
      input.unreadOnly,
      input.after,
      input.limit,
    ],
  });
  return rows;
}
