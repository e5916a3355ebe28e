// Generated from delivery-queues.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, textArray, uuidArray } from '@tollgate/postgres/columns';

export interface VisitEndpointsInput {
  after: string;
  takesFailing: boolean;
  endpointMax: number;
  foundMax: number;
}

export interface VisitEndpointsRow {
  key: string;
  isLocked: boolean | null;
  dueInMs: number | null;
}

const VISIT_ENDPOINTS = `
  WITH RECURSIVE walk AS (
    SELECT $1::uuid AS webhook_id, NULL::timestamptz AS due_at, false AS is_open, 0 AS place, 0 AS found
    UNION ALL
    SELECT next.webhook_id, next.due_at, open.is_open, walk.place + 1, walk.found + open.is_open::int
    FROM walk
    CROSS JOIN LATERAL (
      SELECT webhook_id, due_at FROM webhook_lanes
      WHERE leased_until IS NULL AND webhook_id > walk.webhook_id
      ORDER BY webhook_id, due_at
      LIMIT 1) AS next
    CROSS JOIN LATERAL (
      SELECT coalesce(next.due_at <= now() AND EXISTS (
        SELECT FROM webhooks w
        WHERE w.id = next.webhook_id AND w.enabled AND w.deleted_at IS NULL AND ($2 OR w.failed_attempts = 0)
          AND CASE WHEN w.failed_attempts > 0 THEN 1 ELSE $3::int END > (
            SELECT count(*) FROM (
              SELECT FROM webhook_lanes l
              WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL
              LIMIT $3) AS busy)), false) AS is_open) AS open
    WHERE walk.place < 256 AND walk.found < $4::int
  )
  SELECT webhook_id AS "key",
    CASE WHEN is_open THEN pg_try_advisory_xact_lock(7223063, hashtext(webhook_id::text)) END AS "isLocked",
    CASE WHEN due_at > now() THEN extract(epoch FROM due_at - now())::float * 1000 END AS "dueInMs"
  FROM walk
  WHERE place > 0
  ORDER BY place`;

/**
 * Visits the endpoints after `after` until `found_max` of them have due queues and free places: `endpoint_max` for a healthy one, 1 for
 * a failing one, which counts only with `takes_failing`. Locks these endpoints for the transaction; those that are not locked have
 * another claim. The time of the others is that of their first queue.
 */
export async function visitEndpoints(db: Queryable, input: VisitEndpointsInput): Promise<VisitEndpointsRow[]> {
  const { rows } = await db.query<VisitEndpointsRow>({
    name: 'visit_endpoints',
    text: VISIT_ENDPOINTS,
    values: [
      input.after,
      input.takesFailing,
      input.endpointMax,
      input.foundMax,
    ],
  });
  return rows;
}

export interface ReadEndpointDemandsInput {
  endpointMax: bigint | number;
  webhookIds: readonly string[];
}

export interface ReadEndpointDemandsRow {
  webhookId: string;
  isFailing: boolean;
  busy: number;
  ready: number;
  nextDueInMs: number | null;
}

const READ_ENDPOINT_DEMANDS = `
  SELECT w.id AS "webhookId", w.failed_attempts > 0 AS "isFailing",
    (SELECT count(*)::int FROM (
       SELECT FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL LIMIT $1) busy) AS "busy",
    (SELECT count(*)::int FROM (
       SELECT FROM webhook_lanes l
       WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at <= now() LIMIT $1) due) AS "ready",
    (SELECT extract(epoch FROM l.due_at - now())::float * 1000 FROM webhook_lanes l
     WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at > now()
     ORDER BY l.due_at LIMIT 1) AS "nextDueInMs"
  FROM unnest($2::uuid[]) WITH ORDINALITY AS e (webhook_id, place)
  JOIN webhooks w ON w.id = e.webhook_id AND w.enabled AND w.deleted_at IS NULL
  ORDER BY e.place`;

/**
 * Reads what locked endpoints could use now, in their order. Counts stop at `endpoint_max`, so that the cost does not depend on the
 * length of queues.
 */
export async function readEndpointDemands(db: Queryable, input: ReadEndpointDemandsInput): Promise<ReadEndpointDemandsRow[]> {
  const { rows } = await db.query<ReadEndpointDemandsRow>({
    name: 'read_endpoint_demands',
    text: READ_ENDPOINT_DEMANDS,
    values: [
      input.endpointMax,
      arrayLiteral(input.webhookIds),
    ],
  });
  return rows;
}

export interface FindExpiredLanesInput {
  limit: bigint | number;
}

export interface FindExpiredLanesRow {
  webhook_id: string;
  lane_key: string;
  epoch: number;
  delivery_id: string;
  round: number;
  attempt_count: number;
  updated_at: Date;
}

const FIND_EXPIRED_LANES = `
  SELECT l.webhook_id, l.lane_key, l.epoch, d.id AS delivery_id, d.round, d.attempt_count, d.updated_at
  FROM webhook_lanes l JOIN webhook_deliveries d ON d.id = l.delivery_id
  WHERE l.leased_until IS NOT NULL AND l.leased_until < clock_timestamp()
  LIMIT $1`;

/** Finds leases that expired without a report because their worker crashed. */
export async function findExpiredLanes(db: Queryable, input: FindExpiredLanesInput): Promise<FindExpiredLanesRow[]> {
  const { rows } = await db.query<FindExpiredLanesRow>({
    name: 'find_expired_lanes',
    text: FIND_EXPIRED_LANES,
    values: [
      input.limit,
    ],
  });
  return rows;
}

/** A row of `leases`. */
export interface PostponeExpiryLeasesRow {
  webhookId: string;
  orderingKey: string;
  epoch: number;
}

export interface PostponeExpiryInput {
  delayMs: number;
  leases: readonly PostponeExpiryLeasesRow[];
}

const POSTPONE_EXPIRY = `
  UPDATE webhook_lanes l SET leased_until = clock_timestamp() + $1::float8 * interval '1 ms'
  FROM (SELECT ($3::uuid[])[nth.i] AS webhook_id, nth.ordering_key, ($4::bigint[])[nth.i]::int AS epoch FROM unnest($2::text[]) WITH ORDINALITY AS nth (ordering_key, i)) AS r
  WHERE l.webhook_id = r.webhook_id AND l.lane_key = r.ordering_key AND l.epoch = r.epoch AND l.leased_until IS NOT NULL`;

/** Extends leases that have expired, so that they are found again later. */
export async function postponeExpiry(db: Queryable, input: PostponeExpiryInput): Promise<void> {
  await db.query({
    name: 'postpone_expiry',
    text: POSTPONE_EXPIRY,
    values: [
      input.delayMs,
      textArray(input.leases.map((r) => r.orderingKey)),
      uuidArray(input.leases, [(r) => r.webhookId]),
      bigintArray(input.leases, [(r) => r.epoch]),
    ],
  });
}
