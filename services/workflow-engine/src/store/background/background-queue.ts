import type { Queryable, Tx } from '@tollgate/postgres';
import type { StreamPlace } from '../../domain/background/background-events.js';
import type { NextRun } from '../batches/batch-lines.js';

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
  /** Until its deadline. */
  remainingMs: number;
  isStreamed: boolean;
}

interface ClaimedRow {
  id: string;
  lease_epoch: number;
  principal: Buffer;
  traceparent: string | null;
  options: string;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  remaining_ms: number;
  is_streamed: boolean;
  last_event: number;
  event_bytes: number;
}

export interface BackgroundLease {
  owner: string;
  leaseMs: number;
}

/** Serializes claims of all processes, so that the concurrency of an account is exact. */
const CLAIM_LOCK = 'SELECT pg_advisory_xact_lock(7223062)';

/** Bounds of the work in progress after a claim. Bytes are those of large requests. */
export interface ClaimBounds {
  /** In this process: further responses, and further bytes. */
  slots: number;
  bytes: number;
  /** Of one account, in all processes. */
  accountConcurrency: number;
  accountBytes: number;
  /** Of one caller, in all processes. A large request that is alone may exceed it. */
  callerConcurrency: number;
  callerBytes: number;
  /** Requests up to this size are not large. */
  smallBytes: number;
  /** Size of the largest request: bytes beyond it are not in memory while the response runs. */
  requestBytes: number;
}

/**
 * Lost leases come first, then due responses: those of the callers with the fewest in progress, and of the accounts with the fewest in
 * progress. A response that must wait for its share of bytes takes no place of the others.
 */
const CLAIM = `
  WITH sized AS (
    SELECT id, account_id, coalesce(customer_id, project_id) AS caller, due_at <= now() AS is_due, lease_until,
      CASE WHEN bytes <= $9 THEN 0 ELSE least(bytes, $10) END AS large
    FROM background_responses WHERE ended_at IS NULL
  ), unfinished AS (
    SELECT *,
      count(lease_until) OVER account AS account_count, count(lease_until) OVER caller AS caller_count,
      coalesce(sum(large) FILTER (WHERE lease_until IS NOT NULL) OVER account, 0) AS account_bytes,
      coalesce(sum(large) FILTER (WHERE lease_until IS NOT NULL) OVER caller, 0) AS caller_bytes
    FROM sized WINDOW account AS (PARTITION BY account_id), caller AS (PARTITION BY account_id, caller)
  ), expired AS (
    SELECT id, large, 0 AS turn FROM unfinished WHERE lease_until < now() ORDER BY lease_until LIMIT $3
  ), ranked AS (
    SELECT *, caller_count + row_number() OVER caller AS rank, caller_bytes + sum(large) OVER caller AS caller_total
    FROM unfinished WHERE is_due AND lease_until IS NULL WINDOW caller AS (PARTITION BY account_id, caller ORDER BY id)
  ), shared AS (
    SELECT *, account_bytes + sum(large) OVER (PARTITION BY account_id ORDER BY rank, id) AS account_total
    FROM ranked WHERE rank <= $6 AND (large = 0 OR caller_total <= $8 OR caller_total = large)
  ), due AS (
    SELECT id, large, account_count + row_number() OVER (PARTITION BY account_id ORDER BY rank, id) AS turn
    FROM shared WHERE large = 0 OR account_total <= $7
  ), queue AS (
    SELECT * FROM expired UNION ALL SELECT * FROM due WHERE turn <= $4
  ), picked AS (
    SELECT id FROM (SELECT *, sum(large) OVER (ORDER BY turn, id) AS total FROM queue) AS q
    WHERE large = 0 OR total <= $5 ORDER BY turn, id LIMIT $3
  )
  UPDATE background_responses r
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
      superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM picked p
  WHERE r.id = p.id AND r.ended_at IS NULL
  RETURNING r.id, r.lease_epoch, r.principal, r.traceparent, r.options, r.bytes, r.attempt, r.superseded_attempt, r.lost, r.tries,
    (extract(epoch FROM r.expires_at - now()) * 1000)::int AS remaining_ms, r.is_streamed, r.last_event, r.event_bytes`;

/** Leases responses to this process, within the bounds. */
export async function claimBackground(
  tx: Tx,
  { owner, leaseMs }: BackgroundLease,
  bounds: ClaimBounds,
): Promise<BackgroundItem[]> {
  await tx.query(CLAIM_LOCK);
  const { slots, bytes, accountConcurrency, accountBytes, callerConcurrency, callerBytes } = bounds;
  const { smallBytes, requestBytes } = bounds;
  const account = [accountConcurrency, bytes, callerConcurrency, accountBytes, callerBytes];
  const values = [owner, leaseMs, slots, ...account, smallBytes, requestBytes];
  const result = await tx.query<ClaimedRow>({ name: 'background_responses.claim', text: CLAIM, values });
  return result.rows.map((row) => ({
    id: row.id,
    epoch: row.lease_epoch,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    options: row.options,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
    remainingMs: row.remaining_ms,
    isStreamed: row.is_streamed,
    lastEvent: row.last_event,
    eventBytes: row.event_bytes,
  }));
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
  { delayMs, next, countsAsTry }: { delayMs: number; next: NextRun; countsAsTry: boolean },
): Promise<void> {
  await db.query({
    name: 'background_responses.put_back',
    text: `
      UPDATE background_responses
      SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $3 * interval '1 ms',
          is_dispatched = ($4 = 'lost' OR ($4 = 'recorded' AND is_dispatched)),
          attempt = attempt + ($4 = 'next')::int, tries = tries + $5::int
      WHERE ${HELD}`,
    values: [id, epoch, delayMs, next, countsAsTry ? 1 : 0],
  });
}
