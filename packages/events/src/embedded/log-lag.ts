import { type Tx, withTransaction } from '@tollgate/postgres';
import type pg from 'pg';
import type { TopicLag } from '../transport.js';
import type { LogNames } from './log-tables.js';

/** Maximum number of events counted per topic: a group that stopped long ago may be behind by the whole log. */
const COUNTED_MAX = 10_000;

/** Counts along the primary key from the position that the group has reached. */
export function lagSql({ log, offsets }: LogNames): string {
  return `
    SELECT wanted.topic, counted.events
    FROM unnest($2::text[]) AS wanted (topic)
    LEFT JOIN ${offsets} AS reached ON reached.consumer_group = $1 AND reached.topic = wanted.topic
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS events
      FROM (SELECT 1 FROM ${log} AS unread WHERE unread.topic = wanted.topic
              AND unread.position > coalesce(reached.position, 0)
            ORDER BY unread.position LIMIT ${COUNTED_MAX}) AS head) AS counted`;
}

/** Without these, a plan may collect and sort all events before it stops at the bound. */
export const LAG_SETTINGS = 'SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off';

export async function readLag(
  pool: pg.Pool,
  names: LogNames,
  group: string,
  topics: readonly string[],
): Promise<TopicLag[]> {
  return await withTransaction(pool, async (tx: Tx) => {
    await tx.query(LAG_SETTINGS);
    const { rows } = await tx.query<TopicLag>(lagSql(names), [group, topics]);
    return rows;
  });
}
