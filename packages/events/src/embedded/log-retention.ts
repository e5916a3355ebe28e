import type { Queryable } from '@tollgate/postgres';
import type { LogNames } from './log-tables.js';

/**
 * Removes up to `limit` old events per topic: past the retention and read by every group. An event that some group has
 * not read is kept seven times as long, so that a group that was removed does not keep the log forever. So is a dead
 * letter, which only an operator reads.
 */
export async function removeOldEvents(
  db: Queryable,
  names: LogNames,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const topics = await db.query<{ topic: string }>(topicsSql(names));
  let most = 0;
  for (const { topic } of topics.rows) {
    const result = await db.query(removeSql(names), [topic, retentionMs, limit]);
    most = Math.max(most, result.rowCount ?? 0);
  }
  return most;
}

/** Jumps from topic to topic along the primary key instead of reading the whole log. */
function topicsSql({ log }: LogNames): string {
  return `
    WITH RECURSIVE topics AS (
      (SELECT topic FROM ${log} ORDER BY topic LIMIT 1)
      UNION ALL
      SELECT (SELECT topic FROM ${log} WHERE topic > topics.topic ORDER BY topic LIMIT 1)
      FROM topics WHERE topics.topic IS NOT NULL
    )
    SELECT topic FROM topics WHERE topic IS NOT NULL`;
}

function removeSql({ log, offsets }: LogNames): string {
  return `
    WITH reached AS (SELECT min(position) AS position FROM ${offsets} WHERE topic = $1),
    oldest AS (
      SELECT position, published_at FROM ${log} WHERE topic = $1 ORDER BY position LIMIT $3
    )
    DELETE FROM ${log} WHERE topic = $1 AND position IN (
      SELECT oldest.position FROM oldest, reached
      WHERE oldest.published_at < now() - $2 * interval '1 ms'
        AND (oldest.position <= coalesce(reached.position, oldest.position) AND $1 NOT LIKE '%.dlq'
             OR oldest.published_at < now() - 7 * $2 * interval '1 ms'))`;
}
