// Generated from delivery-queues.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, textArray, uuidArray } from '@tollgate/postgres/columns';

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
