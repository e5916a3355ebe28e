-- name: put_discard :exec
-- Stores a discard, or joins an earlier one of the same response.
INSERT INTO background_discards AS d (id, principal, hold_ids, is_superseded, due_at)
VALUES (:id, :principal, :hold_ids, :is_superseded, now() + :delay_ms * interval '1 ms')
ON CONFLICT (id) DO UPDATE
SET hold_ids = excluded.hold_ids, is_superseded = d.is_superseded OR excluded.is_superseded, due_at = excluded.due_at
