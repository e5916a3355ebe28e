-- name: insert_account :exec
-- Creates an account unless it exists. `window_start` is text, because a balance without a window has `-infinity`.
INSERT INTO accounts (kind, ref_id, window_start, owner_account_id, is_enforced, window_end)
VALUES (:kind, :ref_id, (:window_start::text)::timestamptz, :owner_account_id, :is_enforced, :window_end?)
ON CONFLICT (kind, ref_id, window_start) DO NOTHING
