import type { Queryable } from '@tollgate/postgres';

/**
 * Deletes up to `limit` messages older than `days`, oldest first, and returns how many. Looks only at the first messages by
 * `seq`, which is the order of their arrival, so that no other index is needed.
 */
export async function deleteOldMessages(db: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM messages WHERE id = ANY (ARRAY(
       SELECT id FROM messages WHERE id IN (
         SELECT id FROM (SELECT id, created_at FROM messages ORDER BY seq LIMIT $2) oldest
         WHERE created_at < now() - $1 * interval '1 day')
       FOR UPDATE SKIP LOCKED))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
