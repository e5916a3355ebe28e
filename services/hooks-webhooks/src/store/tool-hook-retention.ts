import type { Queryable } from '@tollgate/postgres';

/** Entries of the event log older than `days`; at most `limit`, returns how many. */
export async function deleteOldHookEvents(db: Queryable, days: number, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM tool_hook_events WHERE id = ANY (ARRAY(
       SELECT id FROM tool_hook_events
       WHERE created_at < now() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2))`,
    [days, limit],
  );
  return result.rowCount ?? 0;
}

/** Events of deleted hooks: nobody can read them any more. */
export async function deleteOrphanedHookEvents(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM tool_hook_events WHERE id = ANY (ARRAY(
       SELECT e.id FROM tool_hooks h JOIN tool_hook_events e ON e.hook_id = h.id
       WHERE h.deleted_at IS NOT NULL LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}

/** Decisions older than `days`: what could still ask about them has long ended. */
export async function deleteOldHookAnswers(db: Queryable, days: number, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM tool_hook_journal WHERE question = ANY (ARRAY(
       SELECT question FROM tool_hook_journal
       WHERE created_at < now() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2))`,
    [days, limit],
  );
  return result.rowCount ?? 0;
}

/** Deleted hooks without events; an hour later, when no call of theirs can be under way. */
export async function deleteGoneToolHooks(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM tool_hooks WHERE id = ANY (ARRAY(
       SELECT h.id FROM tool_hooks h
       WHERE h.deleted_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT 1 FROM tool_hook_events e WHERE e.hook_id = h.id)
       LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
