// Generated from delivery-queues.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, binaryArray, byteaArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `events`. */
export interface QueueDeliveriesEventsRow {
  id: string;
  projectId: string;
  type: string;
  payload: Uint8Array;
  occurredAt: Date;
  customerId: string | null | undefined;
  traceparent: string | null | undefined;
  place: number;
}

export interface QueueDeliveriesInput {
  events: readonly QueueDeliveriesEventsRow[];
}

export interface QueueDeliveriesRow {
  queued: number;
}

const QUEUE_DELIVERIES = `
  WITH event AS (
    SELECT * FROM (SELECT ($6::uuid[])[nth.i][1] AS id, ($6::uuid[])[nth.i][2] AS project_id, nth.type, nth.payload, nth.occurred_at, nth.customer_id, nth.traceparent, ($7::bigint[])[nth.i]::int AS place FROM unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::text[], $5::text[]) WITH ORDINALITY AS nth (type, payload, occurred_at, customer_id, traceparent, i)) AS e
  ),
  target AS MATERIALIZED (
    SELECT e.place, e.id AS event_id, w.id AS webhook_id, w.enabled, e.customer_id, gen_random_uuid() AS delivery_id
    FROM event e JOIN webhooks w ON w.project_id = e.project_id AND w.deleted_at IS NULL AND e.type = ANY (w.event_types)
  ),
  stored AS (
    INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at, traceparent)
    SELECT id, project_id, type, payload, occurred_at, traceparent FROM event
    WHERE (place IN (SELECT place FROM target)) IS TRUE ORDER BY id
    ON CONFLICT (id) DO NOTHING
  ),
  queued AS (
    INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status, error)
    SELECT delivery_id, webhook_id, event_id, coalesce(customer_id, delivery_id::text),
      CASE WHEN enabled THEN 'pending' ELSE 'failed' END, CASE WHEN NOT enabled THEN 'not sent: the webhook is disabled' END
    FROM target ORDER BY place, webhook_id
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING id, webhook_id, lane_key, seq, status
  ),
  queue AS (
    INSERT INTO webhook_lanes AS queue (webhook_id, lane_key, delivery_id, due_at)
    SELECT DISTINCT ON (webhook_id, lane_key) webhook_id, lane_key, id, now()
    FROM queued WHERE status = 'pending' ORDER BY webhook_id, lane_key, seq
    ON CONFLICT (webhook_id, lane_key) DO UPDATE SET due_at = queue.due_at
  )
  SELECT count(*)::int AS "queued" FROM queued WHERE status = 'pending'`;

/** Stores each event once, and one delivery per subscribed endpoint with its queue. */
export async function queueDeliveries(db: Queryable, input: QueueDeliveriesInput): Promise<QueueDeliveriesRow | undefined> {
  const { rows } = await db.query<QueueDeliveriesRow>({
    name: 'queue_deliveries',
    text: QUEUE_DELIVERIES,
    values: [
      textArray(input.events.map((r) => r.type)),
      byteaArray(input.events.map((r) => r.payload)),
      binaryArray('timestamptz', input.events.map((r) => r.occurredAt)),
      textArray(input.events.map((r) => r.customerId)),
      textArray(input.events.map((r) => r.traceparent)),
      uuidArray(input.events, [(r) => r.id, (r) => r.projectId]),
      bigintArray(input.events, [(r) => r.place]),
    ],
  });
  return rows[0];
}

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

/** A row of `quotas`. */
export interface LeaseQueueHeadsQuotasRow {
  webhookId: string;
  quota: number;
}

export interface LeaseQueueHeadsInput {
  quotas: readonly LeaseQueueHeadsQuotasRow[];
  fastLeaseMs: number;
  standardLeaseMs: number;
}

export interface LeaseQueueHeadsRow {
  delivery_id: string;
  lane_key: string;
  epoch: number;
  round: number;
  attempt_count: number;
  created_at: Date;
  event_id: string;
  event_type: string;
  payload: Buffer;
  traceparent: string | null;
  webhook_id: string;
  project_id: string;
  endpoint_url: string;
  signature_form: string;
  retry_schedule: string;
  secret_key_id: string;
  secret_sealed: Buffer;
  previous_secret_key_id: string | null;
  previous_secret_sealed: Buffer | null;
  previous_secret_until: Date | null;
  failed_attempts: number;
}

const LEASE_QUEUE_HEADS = `
  WITH picked AS (
    SELECT l.webhook_id, l.lane_key
    FROM (SELECT ($1::uuid[])[nth.i] AS webhook_id, ($2::bigint[])[nth.i]::int AS quota FROM generate_subscripts($1::uuid[], 1) AS nth (i)) AS q
    CROSS JOIN LATERAL (
      SELECT webhook_id, lane_key FROM webhook_lanes
      WHERE webhook_id = q.webhook_id AND leased_until IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) l
  ),
  leased AS (
    UPDATE webhook_lanes l
    SET epoch = l.epoch + 1,
        leased_until = clock_timestamp()
          + CASE w.retry_schedule WHEN 'fast' THEN $3::int ELSE $4::int END * interval '1 ms'
    FROM picked p JOIN webhooks w ON w.id = p.webhook_id
    WHERE l.webhook_id = p.webhook_id AND l.lane_key = p.lane_key
    RETURNING l.webhook_id, l.lane_key, l.delivery_id, l.epoch
  ),
  started AS (
    UPDATE webhook_deliveries d
    SET status = 'processing', attempt_count = d.attempt_count + 1, updated_at = clock_timestamp()
    FROM leased l
    WHERE d.id = l.delivery_id
    RETURNING d.id, d.webhook_id, d.event_id, d.round, d.attempt_count, d.created_at, l.lane_key, l.epoch
  )
  SELECT s.id AS "delivery_id", s.lane_key AS "lane_key", s.epoch AS "epoch", s.round AS "round",
    s.attempt_count AS "attempt_count", s.created_at AS "created_at", s.event_id AS "event_id", e.event_type, e.payload,
    e.traceparent, w.id AS webhook_id, w.project_id, w.endpoint_url, w.signature_form, w.retry_schedule, w.secret_key_id,
    w.secret_sealed, w.previous_secret_key_id, w.previous_secret_sealed, w.previous_secret_until, w.failed_attempts
  FROM started s
  JOIN webhook_events e ON e.id = s.event_id
  JOIN webhooks w ON w.id = s.webhook_id`;

/** Leases up to `quota` due queues of each endpoint and counts an attempt for their heads. */
export async function leaseQueueHeads(db: Queryable, input: LeaseQueueHeadsInput): Promise<LeaseQueueHeadsRow[]> {
  const { rows } = await db.query<LeaseQueueHeadsRow>({
    name: 'lease_queue_heads',
    text: LEASE_QUEUE_HEADS,
    values: [
      uuidArray(input.quotas, [(r) => r.webhookId]),
      bigintArray(input.quotas, [(r) => r.quota]),
      input.fastLeaseMs,
      input.standardLeaseMs,
    ],
  });
  return rows;
}

/** A row of `leases`. */
export interface LockValidLeasesLeasesRow {
  webhookId: string;
  orderingKey: string;
  epoch: number;
  deliveryId: string;
  round: number;
  place: number;
}

export interface LockValidLeasesInput {
  leases: readonly LockValidLeasesLeasesRow[];
}

export interface LockValidLeasesRow {
  place: number;
}

const LOCK_VALID_LEASES = `
  SELECT r.place AS "place"
  FROM webhook_lanes l JOIN (SELECT ($2::uuid[])[nth.i][1] AS webhook_id, nth.ordering_key, ($3::bigint[])[nth.i][1]::int AS epoch, ($2::uuid[])[nth.i][2] AS delivery_id, ($3::bigint[])[nth.i][2]::int AS round, ($3::bigint[])[nth.i][3]::int AS place FROM unnest($1::text[]) WITH ORDINALITY AS nth (ordering_key, i)) AS r ON l.webhook_id = r.webhook_id AND l.lane_key = r.ordering_key
  WHERE l.epoch = r.epoch AND l.delivery_id = r.delivery_id AND l.leased_until IS NOT NULL
    AND r.round = (SELECT d.round FROM webhook_deliveries d WHERE d.id = l.delivery_id)
  ORDER BY l.webhook_id, l.lane_key FOR UPDATE OF l`;

/** Locks the queues of leases that are still valid and returns the places of these leases. */
export async function lockValidLeases(db: Queryable, input: LockValidLeasesInput): Promise<LockValidLeasesRow[]> {
  const { rows } = await db.query<LockValidLeasesRow>({
    name: 'lock_valid_leases',
    text: LOCK_VALID_LEASES,
    values: [
      textArray(input.leases.map((r) => r.orderingKey)),
      uuidArray(input.leases, [(r) => r.webhookId, (r) => r.deliveryId]),
      bigintArray(input.leases, [(r) => r.epoch, (r) => r.round, (r) => r.place]),
    ],
  });
  return rows;
}

/** A row of `reports`. */
export interface SaveAttemptsReportsRow {
  webhookId: string;
  orderingKey: string;
  deliveryId: string;
  round: number;
  attempt: number;
  outcome: string;
  isInterrupted: boolean;
  delayMs: bigint | number;
  responseStatus: number | null | undefined;
  latencyMs: number | null | undefined;
  error: string | null | undefined;
  startedAt: Date;
}

export interface SaveAttemptsInput {
  reports: readonly SaveAttemptsReportsRow[];
}

const SAVE_ATTEMPTS = `
  WITH report AS MATERIALIZED (
    SELECT * FROM (SELECT ($8::uuid[])[nth.i][1] AS webhook_id, nth.ordering_key, ($8::uuid[])[nth.i][2] AS delivery_id, ($9::bigint[])[nth.i][1]::int AS round, ($9::bigint[])[nth.i][2]::int AS attempt, nth.outcome, nth.is_interrupted, ($9::bigint[])[nth.i][3] AS delay_ms, nth.response_status::int AS response_status, nth.latency_ms::int AS latency_ms, nth.error, nth.started_at FROM unnest($1::text[], $2::text[], $3::bool[], $4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[]) WITH ORDINALITY AS nth (ordering_key, outcome, is_interrupted, response_status, latency_ms, error, started_at, i)) AS r
  ),
  delivery AS (
    UPDATE webhook_deliveries d
    SET status = CASE r.outcome WHEN 'retry' THEN 'pending' ELSE r.outcome END,
      response_status = r.response_status, latency_ms = r.latency_ms, error = r.error, updated_at = clock_timestamp()
    FROM report r WHERE d.id = r.delivery_id
  ),
  log AS (
    INSERT INTO webhook_attempts (delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at)
    SELECT delivery_id, round, attempt, CASE WHEN is_interrupted THEN 'interrupted' ELSE outcome END,
      response_status, latency_ms, error, started_at
    FROM report
  ),
  queue AS MATERIALIZED (
    SELECT r.webhook_id, r.ordering_key, r.delay_ms,
      CASE r.outcome WHEN 'retry' THEN r.delivery_id ELSE (
        SELECT d.id FROM webhook_deliveries d
        WHERE d.webhook_id = r.webhook_id AND d.lane_key = r.ordering_key AND d.status = 'pending'
        ORDER BY d.webhook_id, d.lane_key, d.seq LIMIT 1) END AS head
    FROM report r
  ),
  moved AS (
    UPDATE webhook_lanes l
    SET delivery_id = queue.head, leased_until = NULL, due_at = clock_timestamp() + queue.delay_ms * interval '1 ms'
    FROM queue WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.ordering_key AND queue.head IS NOT NULL
  )
  DELETE FROM webhook_lanes l USING queue
  WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.ordering_key AND queue.head IS NULL`;

/** Writes attempts whose queues are locked to their deliveries, the log and the queues. */
export async function saveAttempts(db: Queryable, input: SaveAttemptsInput): Promise<void> {
  await db.query({
    name: 'save_attempts',
    text: SAVE_ATTEMPTS,
    values: [
      textArray(input.reports.map((r) => r.orderingKey)),
      textArray(input.reports.map((r) => r.outcome)),
      binaryArray('bool', input.reports.map((r) => r.isInterrupted)),
      binaryArray('bigint', input.reports.map((r) => r.responseStatus)),
      binaryArray('bigint', input.reports.map((r) => r.latencyMs)),
      textArray(input.reports.map((r) => r.error)),
      binaryArray('timestamptz', input.reports.map((r) => r.startedAt)),
      uuidArray(input.reports, [(r) => r.webhookId, (r) => r.deliveryId]),
      bigintArray(input.reports, [(r) => r.round, (r) => r.attempt, (r) => r.delayMs]),
    ],
  });
}

/** A row of `changes`. */
export interface SaveEndpointHealthChangesRow {
  webhookId: string;
  failedDeliveries: number;
  failedAttempts: number;
  disable: string | null | undefined;
}

export interface SaveEndpointHealthInput {
  changes: readonly SaveEndpointHealthChangesRow[];
}

const SAVE_ENDPOINT_HEALTH = `
  UPDATE webhooks w
  SET failed_deliveries = c.failed_deliveries, failed_attempts = c.failed_attempts, enabled = w.enabled AND c.disable IS NULL,
    disabled_reason = CASE WHEN w.enabled THEN c.disable ELSE w.disabled_reason END,
    updated_at = CASE WHEN w.enabled AND c.disable IS NOT NULL THEN now() ELSE w.updated_at END
  FROM (SELECT ($2::uuid[])[nth.i] AS webhook_id, ($3::bigint[])[nth.i][1]::int AS failed_deliveries, ($3::bigint[])[nth.i][2]::int AS failed_attempts, nth.disable FROM unnest($1::text[]) WITH ORDINALITY AS nth (disable, i)) AS c WHERE w.id = c.webhook_id`;

export async function saveEndpointHealth(db: Queryable, input: SaveEndpointHealthInput): Promise<void> {
  await db.query({
    name: 'save_endpoint_health',
    text: SAVE_ENDPOINT_HEALTH,
    values: [
      textArray(input.changes.map((r) => r.disable)),
      uuidArray(input.changes, [(r) => r.webhookId]),
      bigintArray(input.changes, [(r) => r.failedDeliveries, (r) => r.failedAttempts]),
    ],
  });
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

export interface CountDueDeliveriesRow {
  count: number;
  oldestSeconds: number;
}

const COUNT_DUE_DELIVERIES = `
  WITH RECURSIVE endpoint (webhook_id, place) AS (
    (SELECT webhook_id, 1 FROM webhook_lanes WHERE leased_until IS NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT next.webhook_id, e.place + 1
    FROM endpoint e
    CROSS JOIN LATERAL (
      SELECT l.webhook_id FROM webhook_lanes l
      WHERE l.leased_until IS NULL AND l.webhook_id > e.webhook_id ORDER BY l.webhook_id LIMIT 1
    ) next
    WHERE e.place < 1000
  )
  SELECT count(*)::int AS "count", coalesce(extract(epoch FROM clock_timestamp() - min(due.due_at)), 0)::float AS "oldestSeconds"
  FROM (
    SELECT l.due_at FROM endpoint e
    CROSS JOIN LATERAL (
      SELECT due_at FROM webhook_lanes
      WHERE webhook_id = e.webhook_id AND leased_until IS NULL AND due_at <= now() ORDER BY due_at LIMIT 10000
    ) l
    LIMIT 10000
  ) due`;

/**
 * Counts the queues that are due and not leased, at most 10,000 of 1,000 endpoints. A queue whose head waits for its retry is not due.
 * A loose index scan: its cost does not grow with the queues that are not due.
 */
export async function countDueDeliveries(db: Queryable): Promise<CountDueDeliveriesRow | undefined> {
  const { rows } = await db.query<CountDueDeliveriesRow>({
    name: 'count_due_deliveries',
    text: COUNT_DUE_DELIVERIES,
  });
  return rows[0];
}
