import type { Queryable } from '@tollgate/postgres';
import { outboxBacklog } from './outbox.js';

export { removePublished } from './outbox-rows.js';

/** The state of an outbox, for operators. */
export interface OutboxState {
  unpublished: number;
  oldestSeconds: number;
  /** Published and still kept. */
  published: number;
  /** The relay that publishes; absent while none does, and where events move inside one database. */
  lease: { holder: string; epoch: bigint; expiresInSeconds: number } | undefined;
  /** The oldest unpublished events: the first one blocks the others when it cannot be published. */
  first: { id: string; topic: string; type: string; key: string; occurredAt: Date; bytes: number }[];
}

const FIRST_MAX = 10;

export async function readOutboxState(db: Queryable): Promise<OutboxState> {
  const backlog = await outboxBacklog(db);
  const published = await db.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NOT NULL',
  );
  const lease = await db.query<NonNullable<OutboxState['lease']>>(
    `SELECT holder, epoch, extract(epoch FROM expires_at - clock_timestamp())::float AS "expiresInSeconds"
     FROM outbox_lease WHERE expires_at > clock_timestamp() ORDER BY name LIMIT 1`,
  );
  const first = await db.query<OutboxState['first'][number]>(
    `SELECT id, topic, type, key, occurred_at AS "occurredAt", octet_length(payload) AS bytes
     FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1`,
    [FIRST_MAX],
  );
  return { ...backlog, published: published.rows[0]!.n, lease: lease.rows[0], first: first.rows };
}

/**
 * Marks up to `limit` events that were published from `since` until before `until` as unpublished and returns how many.
 * Consumers ignore events that they have handled.
 */
export async function requeuePublished(
  db: Queryable,
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<number> {
  const result = await db.query(
    `UPDATE outbox SET published_at = NULL WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM outbox WHERE published_at >= $1 AND published_at < $3 ORDER BY published_at LIMIT $2 FOR UPDATE))`,
    [since, limit, until],
  );
  return result.rowCount ?? 0;
}

/** Ends the lease of a relay that hangs, so that another one takes over at once. Returns whether there was a lease. */
export async function endRelayLease(db: Queryable): Promise<boolean> {
  const result = await db.query(
    'UPDATE outbox_lease SET expires_at = clock_timestamp(), epoch = epoch + 1 WHERE expires_at > clock_timestamp()',
  );
  return (result.rowCount ?? 0) > 0;
}
