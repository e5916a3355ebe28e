// Generated from outcomes.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray, uuidArray } from '@tollgate/postgres/columns';

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
