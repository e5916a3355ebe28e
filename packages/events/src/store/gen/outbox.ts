// Generated from outbox.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, binaryArray, byteaArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `events`. */
export interface AppendOutboxEventsEventsRow {
  id: string;
  topic: string;
  key: string;
  type: string;
  payload: Uint8Array;
  occurredAt: Date;
  requestId: string | null | undefined;
  traceparent: string | null | undefined;
}

export interface AppendOutboxEventsInput {
  events: readonly AppendOutboxEventsEventsRow[];
}

const APPEND_OUTBOX_EVENTS = `
  INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
  SELECT * FROM (SELECT ($8::uuid[])[nth.i] AS id, nth.topic, nth.key, nth.type, nth.payload, nth.occurred_at, nth.request_id, nth.traceparent FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[], $6::text[], $7::text[]) WITH ORDINALITY AS nth (topic, key, type, payload, occurred_at, request_id, traceparent, i)) AS e`;

export async function appendOutboxEvents(db: Queryable, input: AppendOutboxEventsInput): Promise<void> {
  await db.query({
    name: 'append_outbox_events',
    text: APPEND_OUTBOX_EVENTS,
    values: [
      textArray(input.events.map((r) => r.topic)),
      textArray(input.events.map((r) => r.key)),
      textArray(input.events.map((r) => r.type)),
      byteaArray(input.events.map((r) => r.payload)),
      binaryArray('timestamptz', input.events.map((r) => r.occurredAt)),
      textArray(input.events.map((r) => r.requestId)),
      textArray(input.events.map((r) => r.traceparent)),
      uuidArray(input.events, [(r) => r.id]),
    ],
  });
}

export interface MarkOutboxPublishedInput {
  seqs: readonly (bigint | number)[];
  holder: string;
  epoch: bigint | number;
}

export interface MarkOutboxPublishedRow {
  own_id: string | null;
}

const MARK_OUTBOX_PUBLISHED = `
  WITH marked AS (
    UPDATE outbox SET published_at = clock_timestamp()
    WHERE published_at IS NULL AND seq = ANY ($1::bigint[])
      AND EXISTS (SELECT 1 FROM outbox_lease WHERE holder = $2 AND epoch = $3)
    RETURNING 1
  )
  SELECT CASE WHEN count(*) > 0 THEN pg_current_xact_id()::text END AS own_id FROM marked`;

/**
 * Returns the id of the transaction, or null if the lease was lost.
 * Is planned at each call: a plan that was made while the outbox was empty would read all of it later
 */
export async function markOutboxPublished(db: Queryable, input: MarkOutboxPublishedInput): Promise<MarkOutboxPublishedRow | undefined> {
  const { rows } = await db.query<MarkOutboxPublishedRow>({
    text: MARK_OUTBOX_PUBLISHED,
    values: [
      arrayLiteral(input.seqs),
      input.holder,
      input.epoch,
    ],
  });
  return rows[0];
}

export interface ClaimRelayLeaseInput {
  name: string;
  holder: string;
  leaseMs: number;
}

export interface ClaimRelayLeaseRow {
  epoch: bigint;
}

const CLAIM_RELAY_LEASE = `
  INSERT INTO outbox_lease AS lease (name, holder, epoch, expires_at)
  VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
    epoch = CASE WHEN lease.holder = excluded.holder THEN lease.epoch ELSE lease.epoch + 1 END
  WHERE lease.holder = excluded.holder OR lease.expires_at <= clock_timestamp()
  RETURNING epoch`;

export async function claimRelayLease(db: Queryable, input: ClaimRelayLeaseInput): Promise<ClaimRelayLeaseRow | undefined> {
  const { rows } = await db.query<ClaimRelayLeaseRow>({
    name: 'claim_relay_lease',
    text: CLAIM_RELAY_LEASE,
    values: [
      input.name,
      input.holder,
      input.leaseMs,
    ],
  });
  return rows[0];
}
