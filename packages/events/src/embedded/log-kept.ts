import type { Queryable } from '@tollgate/postgres';
import type { ReceivedEvent } from '../event.js';
import type { KeptQuery } from '../transport.js';
import { type LogRow, toEvent } from './log-reader.js';
import type { LogNames } from './log-tables.js';

/** Reads the log of a topic beyond the group's mark. */
export async function readKept(db: Queryable, names: LogNames, query: KeptQuery): Promise<ReceivedEvent[]> {
  const { rows } = await db.query<LogRow>(
    `SELECT position, id, source, topic, key, type, payload, occurred_at, request_id, traceparent, headers
     FROM ${names.log}
     WHERE topic = $1 AND position > coalesce(
       (SELECT position FROM ${names.offsets} WHERE consumer_group = $2 AND topic = $1), 0)
     ORDER BY position LIMIT $3`,
    [query.topic, query.group ?? null, query.limit],
  );
  return rows.map(toEvent);
}

/** Moves the group's mark of each topic past the events. */
export async function advanceMark(
  db: Queryable,
  names: LogNames,
  group: string,
  events: readonly ReceivedEvent[],
): Promise<void> {
  for (const [topic, position] of lastPositions(events)) {
    await db.query(
      `INSERT INTO ${names.offsets} AS stored (consumer_group, topic, position) VALUES ($1, $2, $3)
       ON CONFLICT (consumer_group, topic) DO UPDATE
       SET position = greatest(stored.position, excluded.position), updated_at = now()`,
      [group, topic, position],
    );
  }
}

function lastPositions(events: readonly ReceivedEvent[]): Map<string, bigint> {
  const last = new Map<string, bigint>();
  for (const { topic, position } of events) {
    const at = BigInt(position.slice(position.indexOf(':') + 1));
    if (at > (last.get(topic) ?? -1n)) last.set(topic, at);
  }
  return last;
}
