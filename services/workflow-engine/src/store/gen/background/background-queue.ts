// Generated from background/background-queue.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface ExtendBackgroundInput {
  leaseMs: number;
  ids: readonly string[];
  epochs: readonly number[];
  owner: string;
}

export interface ExtendBackgroundRow {
  key: string;
}

const EXTEND_BACKGROUND = `
  UPDATE background_responses r
  SET lease_until = now() + $1 * interval '1 ms'
  FROM unnest($2::uuid[], $3::int[]) AS h (id, epoch)
  WHERE r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_owner = $4
  RETURNING concat_ws('/', r.id) AS "key"`;

/** Extends leases and returns the keys of the requests that are still held. */
export async function extendBackground(db: Queryable, input: ExtendBackgroundInput): Promise<ExtendBackgroundRow[]> {
  const { rows } = await db.query<ExtendBackgroundRow>({
    name: 'extend_background',
    text: EXTEND_BACKGROUND,
    values: [
      input.leaseMs,
      arrayLiteral(input.ids),
      arrayLiteral(input.epochs),
      input.owner,
    ],
  });
  return rows;
}

export interface ReadBackgroundBodyInput {
  id: string;
  epoch: number;
}

export interface ReadBackgroundBodyRow {
  body: string | null;
}

const READ_BACKGROUND_BODY = `
  SELECT body FROM background_responses WHERE id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL`;

export async function readBackgroundBody(db: Queryable, input: ReadBackgroundBodyInput): Promise<ReadBackgroundBodyRow | undefined> {
  const { rows } = await db.query<ReadBackgroundBodyRow>({
    name: 'read_background_body',
    text: READ_BACKGROUND_BODY,
    values: [
      input.id,
      input.epoch,
    ],
  });
  return rows[0];
}

export interface DispatchBackgroundInput {
  id: string;
  epoch: number;
}

const DISPATCH_BACKGROUND = `
  UPDATE background_responses SET is_dispatched = true, status = 'in_progress'
  WHERE id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL`;

/** Records that the provider may serve the attempt from now on. */
export async function dispatchBackground(db: Queryable, input: DispatchBackgroundInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'dispatch_background',
    text: DISPATCH_BACKGROUND,
    values: [
      input.id,
      input.epoch,
    ],
  });
  return rowCount ?? 0;
}

export interface PutBackBackgroundInput {
  delayMs: number;
  next: string;
  counts: string;
  id: string;
  epoch: number;
}

const PUT_BACK_BACKGROUND = `
  UPDATE background_responses
  SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $1 * interval '1 ms',
    is_dispatched = ($2 = 'lost' OR ($2 = 'recorded' AND is_dispatched)),
    attempt = attempt + ($2 = 'next')::int, tries = tries + ($3 = 'try')::int,
    waits = CASE $3 WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
  WHERE id = $4 AND lease_epoch = $5 AND lease_owner IS NOT NULL`;

/** Returns a request to the queue. */
export async function putBackBackground(db: Queryable, input: PutBackBackgroundInput): Promise<void> {
  await db.query({
    name: 'put_back_background',
    text: PUT_BACK_BACKGROUND,
    values: [
      input.delayMs,
      input.next,
      input.counts,
      input.id,
      input.epoch,
    ],
  });
}

export interface ReadDueBackgroundRow {
  count: number;
  oldestSeconds: number;
}

const READ_DUE_BACKGROUND = `
  SELECT count(*)::int AS "count",
    coalesce(extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE is_first)), 0)::float AS "oldestSeconds"
  FROM (
    SELECT due_at, NOT EXISTS (
      SELECT FROM background_responses b
      WHERE b.account_id = r.account_id AND b.ended_at IS NULL AND b.lease_until IS NOT NULL) AS is_first
    FROM background_responses r
    WHERE ended_at IS NULL AND lease_until IS NULL AND due_at <= now()
    LIMIT 10000) AS due`;

/**
 * Reads a bounded part of the index of due responses. A response that waits for those of its account says nothing about the
 * workers: only accounts without one in progress have an age.
 */
export async function readDueBackground(db: Queryable): Promise<ReadDueBackgroundRow | undefined> {
  const { rows } = await db.query<ReadDueBackgroundRow>({
    name: 'read_due_background',
    text: READ_DUE_BACKGROUND,
  });
  return rows[0];
}

export interface EndBackgroundInput {
  status: string;
  answer: string | null;
  error: string | null;
  id: string;
  epoch: number;
}

export interface EndBackgroundRow {
  head: string;
  last_event: number;
}

const END_BACKGROUND = `
  UPDATE background_responses
  SET status = $1, answer = $2, error = $3, ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
    head = CASE WHEN $1 = 'completed' THEN '{}' ELSE coalesce(ended_head, head) END, ended_head = NULL,
    bytes = CASE WHEN $1 = 'completed' THEN 0 ELSE octet_length(coalesce(ended_head, head)) END
      + coalesce(octet_length($2::text), 0) + coalesce(octet_length($3::text), 0)
  WHERE id = $4 AND lease_epoch = $5 AND lease_owner IS NOT NULL
  RETURNING head, last_event`;

/** Ends a response. Returns its head and its last event. Changes nothing when the lease was lost. */
export async function endBackground(db: Queryable, input: EndBackgroundInput): Promise<EndBackgroundRow | undefined> {
  const { rows } = await db.query<EndBackgroundRow>({
    name: 'end_background',
    text: END_BACKGROUND,
    values: [
      input.status,
      input.answer,
      input.error,
      input.id,
      input.epoch,
    ],
  });
  return rows[0];
}
