// Generated from save-attempts.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

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
