-- name: append_outbox_events :exec
-- pack events: id uuid, topic text, key text, type text, payload bytea, occurred_at timestamptz, request_id text?
-- pack events: traceparent text?
INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
SELECT * FROM :events AS e;

-- name: mark_outbox_published :one
-- Returns the id of the transaction, or null if the lease was lost.
-- unprepared: a plan that was made while the outbox was empty would read all of it later
WITH marked AS (
  UPDATE outbox SET published_at = clock_timestamp()
  WHERE published_at IS NULL AND seq = ANY (:seqs::bigint[])
    AND EXISTS (SELECT 1 FROM outbox_lease WHERE holder = :holder AND epoch = :epoch)
  RETURNING 1
)
SELECT CASE WHEN count(*) > 0 THEN pg_current_xact_id()::text END AS own_id FROM marked;

-- name: claim_relay_lease :one
INSERT INTO outbox_lease AS lease (name, holder, epoch, expires_at)
VALUES (:name, :holder, 1, clock_timestamp() + :lease_ms * interval '1 ms')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
  epoch = CASE WHEN lease.holder = excluded.holder THEN lease.epoch ELSE lease.epoch + 1 END
WHERE lease.holder = excluded.holder OR lease.expires_at <= clock_timestamp()
RETURNING epoch
