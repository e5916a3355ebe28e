import type { Queryable } from '@tollgate/postgres';
import type { StreamPlace } from '../../domain/background/background-events.js';
import type { PutBack } from '../batches/batch-lines.js';

/** A response that this process has leased. */
export interface LeasedBackground {
  id: string;
  epoch: number;
}

/** A response to run. */
export interface BackgroundItem extends LeasedBackground, StreamPlace {
  principal: Uint8Array;
  traceparent: string | undefined;
  /** JSON. */
  options: string;
  /** Size of the request, which is read when the response runs. */
  bytes: number;
  attempt: number;
  /** An earlier attempt whose outcome is unknown. */
  supersededAttempt: number | undefined;
  lost: number;
  tries: number;
  waits: number;
  /** Until its deadline. */
  remainingMs: number;
  isStreamed: boolean;
}

export interface BackgroundLease {
  owner: string;
  leaseMs: number;
}

const DUE_COUNTED_MAX = 10_000;

/** A response that waits for those of its account says nothing about the workers: only accounts without one in progress have an age. */
export const DUE_BACKGROUND = `
  SELECT count(*)::int AS count, coalesce(extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE is_first)), 0)::float AS "oldestSeconds"
  FROM (
    SELECT due_at, NOT EXISTS (
      SELECT 1 FROM background_responses b
      WHERE b.account_id = r.account_id AND b.ended_at IS NULL AND b.lease_until IS NOT NULL) AS is_first
    FROM background_responses r WHERE ended_at IS NULL AND lease_until IS NULL AND due_at <= now() LIMIT ${DUE_COUNTED_MAX}) AS due`;

/** Reads a bounded part of the index of due responses. */
export async function readDueBackground(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(DUE_BACKGROUND);
  return rows[0]!;
}

/** `$1` and `$2`: the response and the epoch of its lease. */
const HELD = 'id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL';

/** Returns the JSON of a leased request; undefined when the lease was lost. */
export async function readBackgroundBody(db: Queryable, { id, epoch }: LeasedBackground): Promise<string | undefined> {
  const result = await db.query<{ body: string | null }>({
    name: 'background_responses.body',
    text: `SELECT body FROM background_responses WHERE ${HELD}`,
    values: [id, epoch],
  });
  return result.rows[0]?.body ?? undefined;
}

/** Extends leases and returns the ids of the responses that are still held. */
export async function extendBackgroundLeases(
  db: Queryable,
  { owner, leaseMs }: BackgroundLease,
  held: readonly LeasedBackground[],
): Promise<Set<string>> {
  const result = await db.query<{ id: string }>({
    name: 'background_responses.heartbeat',
    text: `
      UPDATE background_responses r SET lease_until = now() + $2 * interval '1 ms'
      FROM unnest($3::uuid[], $4::int[]) AS h (id, epoch)
      WHERE r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_owner = $1
      RETURNING r.id`,
    values: [owner, leaseMs, held.map(({ id }) => id), held.map(({ epoch }) => epoch)],
  });
  return new Set(result.rows.map(({ id }) => id));
}

/** Records that the provider may serve the attempt from now on. Returns false when the lease was lost. */
export async function markBackgroundDispatched(db: Queryable, { id, epoch }: LeasedBackground): Promise<boolean> {
  const result = await db.query({
    name: 'background_responses.dispatch',
    text: `UPDATE background_responses SET is_dispatched = true, status = 'in_progress' WHERE ${HELD}`,
    values: [id, epoch],
  });
  return result.rowCount === 1;
}

/** Ends a response. Returns its head and its last event; undefined when the lease was lost: then nothing has changed. */
export async function endBackground(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  end: { status: 'completed' | 'failed'; answer: string | undefined; error: string | undefined },
): Promise<{ head: string; last_event: number } | undefined> {
  const result = await db.query<{ head: string; last_event: number }>({
    name: 'background_responses.end',
    text: `UPDATE background_responses
           SET status = $3, answer = $4, error = $5, ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
               head = CASE WHEN $3 = 'completed' THEN '{}' ELSE coalesce(ended_head, head) END, ended_head = NULL,
               bytes = CASE WHEN $3 = 'completed' THEN 0 ELSE octet_length(coalesce(ended_head, head)) END
                       + coalesce(octet_length($4::text), 0) + coalesce(octet_length($5::text), 0)
           WHERE ${HELD} RETURNING head, last_event`,
    values: [id, epoch, end.status, end.answer ?? null, end.error ?? null],
  });
  return result.rows[0];
}

/** Returns a response to the queue. Changes nothing when the lease was lost. */
export async function putBackBackground(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  { delayMs, next, counts }: PutBack,
): Promise<void> {
  await db.query({
    name: 'background_responses.put_back',
    text: `
      UPDATE background_responses
      SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $3 * interval '1 ms',
          is_dispatched = ($4 = 'lost' OR ($4 = 'recorded' AND is_dispatched)),
          attempt = attempt + ($4 = 'next')::int, tries = tries + ($5 = 'try')::int,
          waits = CASE $5 WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
      WHERE ${HELD}`,
    values: [id, epoch, delayMs, next, counts],
  });
}
